/** A merchant at an address of the service; several accounts of the options may share one. */
export interface MerchantAccount {
  merchantId: string
  baseUrl: string
}

export const merchantAccountId = ({ merchantId, baseUrl }: MerchantAccount) =>
  `${merchantId.toLowerCase()}@${baseUrl}`
