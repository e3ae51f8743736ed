/**
 * The container of the store that runs the providers. A provider's own container holds only the payment module's internals, so
 * this file, and no other, uses the global one.
 */
export { container as storeContainer } from "@medusajs/framework"
