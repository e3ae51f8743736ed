import { randomUUID } from "node:crypto"
import { writeFile } from "node:fs/promises"
import path from "node:path"
import { pathToFileURL } from "node:url"

import {
  createCartWorkflow,
  createPaymentCollectionForCartWorkflow,
  createPaymentSessionsWorkflow,
} from "@medusajs/medusa/core-flows"
import type { MedusaContainer } from "@medusajs/framework/types"
import type { SeededShop } from "../../demo/seed"

/** The input of every script in this folder, see `Stand.inside`. */
export interface InsideInput {
  shop: SeededShop
  simulator: { url: string; account: { merchantId: string; secret: string } }
  resultFile: string
}

export function inputOf(args: string[]): InsideInput {
  return JSON.parse(args[0] ?? "") as InsideInput
}

export async function report(input: InsideInput, result: object): Promise<void> {
  await writeFile(input.resultFile, JSON.stringify(result))
}

/** A file of the plugin as it was built, for `import`: the one that the store itself has loaded. */
export function builtFile(file: string): string {
  return pathToFileURL(path.join(__dirname, `../../.medusa/server/src/${file}.js`)).href
}

/** The payment collection of a cart that can be paid. */
export async function openCollection(
  container: MedusaContainer,
  { regionId, variantIds }: SeededShop
): Promise<string> {
  const { result: cart } = await createCartWorkflow(container).run({
    input: {
      region_id: regionId,
      // One payer opens no more than a few.
      email: `${randomUUID()}@shopper.test`,
      items: [{ variant_id: variantIds[0] ?? "", quantity: 1 }],
    },
  })
  const { result } = await createPaymentCollectionForCartWorkflow(container).run({
    input: { cart_id: cart.id },
  })
  return (result as unknown as { id: string }).id
}

/** Makes a payment session, as core does for a shopper who chooses SBP. */
export async function openPayment(
  container: MedusaContainer,
  paymentCollectionId: string
): Promise<void> {
  await createPaymentSessionsWorkflow(container).run({
    input: { payment_collection_id: paymentCollectionId, provider_id: "pp_sbp_main" },
  })
}
