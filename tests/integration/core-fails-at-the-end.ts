import type { IOrderModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import type { TestStore } from "./store"
import { untilTheTestEnds } from "./until-the-test-ends"

/**
 * Core authorizes a session, and then cannot finish its order.
 *
 * @returns a function that ends this before the test does
 */
export function coreFailsAtTheEnd({ container }: TestStore): () => void {
  const failing = jest
    .spyOn(container.resolve<IOrderModuleService>(Modules.ORDER), "addOrderTransactions")
    .mockRejectedValue(new Error("The order cannot be changed now"))
  const end = () => failing.mockRestore()
  untilTheTestEnds(end)
  return end
}
