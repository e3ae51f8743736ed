/** A merchant at an address of the service: one account there, however often the options lead to it. */
export interface Place {
  merchantId: string
  baseUrl: string
}

export const placeId = ({ merchantId, baseUrl }: Place) => `${merchantId.toLowerCase()}@${baseUrl}`

/** The same in SQL, of a transaction's row `t`. An index has it in these words. */
export const PLACE_ID_OF_ROW = "lower(t.merchant_id) || '@' || t.base_url"
