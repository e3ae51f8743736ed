/** A merchant at an address of the service; several accounts of the options may share one. */
export interface MerchantAccount {
  merchantId: string
  baseUrl: string
}

/** The merchant account with which a transaction was opened. */
export const merchantAccountOf = (row: {
  merchant_id: string
  base_url: string
}): MerchantAccount => ({ merchantId: row.merchant_id, baseUrl: row.base_url })

/** Compares merchant ids, which are UUIDs in either case; `isOfMerchant` is the same in SQL. */
export const isSameMerchant = (one: string | null, other: string) =>
  one?.toLowerCase() === other.toLowerCase()

export const merchantAccountId = ({ merchantId, baseUrl }: MerchantAccount) =>
  `${merchantId.toLowerCase()}@${baseUrl}`
