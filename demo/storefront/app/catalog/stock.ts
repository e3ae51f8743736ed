import type { Variant } from "../medusa"

/** Units of a variant that can be bought now; Infinity when the shop does not count them. */
export function unitsAvailable(variant: Variant): number {
  const counted = variant.manage_inventory !== false && variant.allow_backorder !== true
  if (!counted || typeof variant.inventory_quantity !== "number") {
    return Infinity
  }
  return Math.max(0, variant.inventory_quantity)
}
