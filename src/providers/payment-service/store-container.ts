/**
 * The container of the store around the providers. A provider's own holds the internals of the payment module only,
 * and neither this plugin's module nor Medusa's others, so this file, and no other, reaches for the global one.
 */
export { container as storeContainer } from "@medusajs/framework"
