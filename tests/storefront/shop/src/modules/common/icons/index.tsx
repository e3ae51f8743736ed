/** Stands where a shop has `@medusajs/icons`, see tsconfig.json. */
const icon = (path: string) =>
  function Icon() {
    return (
      <svg width="15" height="15" viewBox="0 0 15 15" aria-hidden="true">
        <path d={path} fill="none" stroke="currentColor" />
      </svg>
    )
  }

export const Bolt = icon("M8 1 3 8h4l-1 6 6-8H8z")
export const CreditCard = icon("M1 3h13v9H1zM1 6h13")
export const CurrencyDollar = icon(
  "M11 4c-2-2-7-1-7 1 0 3 7 2 7 5 0 2-5 3-7 1M7.5 1v13"
)
