/** A merchant at an address of the service; several accounts of the options may share one. */
export interface Place {
  merchantId: string
  baseUrl: string
}

export const placeId = ({ merchantId, baseUrl }: Place) => `${merchantId.toLowerCase()}@${baseUrl}`
