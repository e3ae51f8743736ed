import type { IOrderModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import type { TestStore } from "./store"

/**
 * Core authorizes a session, and then cannot finish its order.
 *
 * @returns a function that ends this
 */
export function coreFailsAtTheEnd({ container }: TestStore): () => void {
  const failing = jest
    .spyOn(container.resolve<IOrderModuleService>(Modules.ORDER), "addOrderTransactions")
    .mockRejectedValue(new Error("The order cannot be changed now"))
  return () => failing.mockRestore()
}
