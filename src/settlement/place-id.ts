/** A merchant at an address of the service: one account there, however often the options lead to it. */
export interface Place {
  merchantId: string
  baseUrl: string
}

export const placeId = ({ merchantId, baseUrl }: Place) => `${merchantId.toLowerCase()}@${baseUrl}`
