/** Money as people write it; whole amounts without kopecks. Medusa's totals are unrounded, so this rounds to two digits. */
export function formatMoney(amount: number | string, currency: string, locale: string): string {
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: currency.toUpperCase(),
    currencyDisplay: "narrowSymbol",
    trailingZeroDisplay: "stripIfInteger",
  }).format(Number(amount))
}
