import type { PaymentServiceModuleService } from "../modules/payment-service"
import { Keys } from "./keys"
import type { SealedSecret } from "./statements/settings"
import { placeOf, secretsOf } from "./stored-settings"

/** Seals all stored secrets anew, also those of earlier saves, with the first key. */
export async function reseal({ settings: { list } }: PaymentServiceModuleService) {
  const keys = Keys.ofEnvironment()
  const count = { sealed: 0, left: 0 }
  for (const row of await list.all()) {
    const secrets: Record<string, SealedSecret> = {}
    for (const [option, secret] of Object.entries(secretsOf(row))) {
      const place = placeOf(row.account, option)
      const opened = keys.open(place, secret.sealed)
      count[opened === null ? "left" : "sealed"]++
      secrets[option] = opened === null ? secret : { ...secret, sealed: keys.seal(place, opened) }
    }
    await list.replaceSecrets(row.id, secrets)
  }
  return count
}
