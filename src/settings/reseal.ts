import type { PaymentServiceModuleService } from "../modules/payment-service"
import { TOKEN_PLACE } from "../payments/statements/callbacks"
import { Keys } from "./keys"
import type { SealedSecret } from "./statements/settings"
import { placeOf, secretsOf } from "./stored-settings"

/** Seals all that is kept sealed with the first key: secrets, also of earlier saves, and what the store has made for itself. */
export async function reseal(module: PaymentServiceModuleService) {
  const { list } = module.settings
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
  const sealedAnew = (place: string, value: string) => {
    const opened = keys.kept(place, value)
    count[opened === null ? "left" : "sealed"]++
    return opened === null ? value : keys.seal(place, opened)
  }
  for (const { id, value } of await module.listGeneratedKeys({})) {
    await module.updateGeneratedKeys({ id, value: sealedAnew(id.replace("pskey_", ""), value) })
  }
  for (const { id, token } of await module.listCallbackTokens({ source: "generated" })) {
    if (token) await module.updateCallbackTokens({ id, token: sealedAnew(TOKEN_PLACE, token) })
  }
  return count
}
