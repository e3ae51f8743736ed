export const convertToLocale = ({
  amount,
  currency_code,
}: {
  amount: number
  currency_code: string
}) =>
  new Intl.NumberFormat("ru-RU", {
    style: "currency",
    currency: currency_code,
  }).format(amount)
