/** The types that a store's `medusa-config.ts` may name. A plugin itself is loaded by its folders. */
export type { PaymentServiceOptions } from "./settings/options"
