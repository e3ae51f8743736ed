import type { ExecArgs } from "@medusajs/framework/types"
import axios from "axios"

import type * as Providers from "../../src/providers/payment-service"
import type { RecordedRequest } from "../../simulator"
import { builtFile, inputOf, type InsideInput, openCollection, openPayment, report } from "./shop"

/** Milliseconds of each call. */
export interface InitiateTimes {
  initiate: number[]
  bare: number[]
}

/** Run by `medusa exec`: times the provider where core calls it, and the same call to the service without it. */
export default async function measure({ container, args }: ExecArgs): Promise<void> {
  const input = inputOf(args) as InsideInput & { samples: number; warmUp: number }
  const { url, account } = input.simulator
  const times: InitiateTimes = { initiate: [], bare: [] }
  await timeInitiatePayment(times.initiate)

  const collections: string[] = []
  for (let cart = 0; cart < input.samples + input.warmUp; cart++) {
    collections.push(await openCollection(container, input.shop))
  }
  const first = collections.pop()
  if (first) await openPayment(container, first)
  const body = await lastCreation(url)
  const bare = async () => {
    const began = performance.now()
    await axios.post(`${url}/transaction/process`, body, {
      headers: { "X-MerchantId": account.merchantId, "X-Secret": account.secret },
    })
    times.bare.push(performance.now() - began)
  }

  for (const [turn, collection] of collections.entries()) {
    // Each goes first as often as the other.
    if (turn % 2) await bare()
    await openPayment(container, collection)
    if (turn % 2 === 0) await bare()
  }
  await report(input, {
    initiate: times.initiate.slice(-input.samples),
    bare: times.bare.slice(-input.samples),
  } satisfies InitiateTimes)
}

/** Core's own work around the provider is not the plugin's. */
async function timeInitiatePayment(times: number[]): Promise<void> {
  const file = builtFile("providers/payment-service/index")
  const { PaymentMethodProvider } = (await import(file)) as typeof Providers
  const provider = PaymentMethodProvider.prototype
  const initiate = Reflect.get(provider, "initiatePayment")
  provider.initiatePayment = async function (input) {
    const began = performance.now()
    const opened = await initiate.call(this, input)
    times.push(performance.now() - began)
    return opened
  }
}

/** The body that the plugin itself has just sent. */
async function lastCreation(url: string): Promise<unknown> {
  const { data } = await axios.get<RecordedRequest[]>(`${url}/__simulator/requests?on=create`)
  return JSON.parse(data.at(-1)?.body ?? "") as unknown
}
