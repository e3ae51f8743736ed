import type { BigNumberInput } from "@medusajs/framework/types"
import { MathBN } from "@medusajs/framework/utils"

/** Of captures, refunds or bookings, as exact as Medusa keeps them. */
export function sumOf(amounts: { amount: BigNumberInput }[]): ReturnType<typeof MathBN.convert> {
  return amounts.reduce<ReturnType<typeof MathBN.convert>>(
    (sum, { amount }) => MathBN.add(sum, amount),
    MathBN.convert(0)
  )
}
