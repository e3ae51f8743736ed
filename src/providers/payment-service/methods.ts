import { CryptoProvider } from "./crypto"
import { SbpProvider } from "./sbp"

/** Every way to pay that the plugin offers; a new one is added here and nowhere else. */
export const METHOD_PROVIDERS = [SbpProvider, CryptoProvider]

/**
 * The account of one of our provider ids, which core builds as `pp_<method>_<id>`.
 *
 * @returns null when the provider is not ours
 */
export function accountOfProvider(providerId: unknown): string | null {
  if (typeof providerId !== "string") {
    return null
  }
  for (const { identifier } of METHOD_PROVIDERS) {
    const prefix = `pp_${identifier}`
    if (providerId === prefix) return ""
    if (providerId.startsWith(`${prefix}_`)) return providerId.slice(prefix.length + 1)
  }
  return null
}
