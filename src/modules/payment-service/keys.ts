import { registerSecret } from "../../service/redact"
import { type DigestKey, digestKey } from "../../settlement/digests"
import { refusal } from "./options"

const VARIABLE = "PAYMENT_SERVICE_ENCRYPTION_KEY"
const SHORTEST = 32

/**
 * The keys for digests of what must not be kept: payers' e-mail addresses, network addresses, card numbers. They are made of a secret
 * outside the database, so that nobody can try out addresses or numbers with a copy of it alone.
 */
export class Keys {
  private readonly secrets: string[]

  /** @throws MedusaError `INVALID_DATA` when a secret is too short */
  constructor(given: string | undefined) {
    this.secrets = (given ?? "").split(",").flatMap((secret) => secret.trim() || [])
    if (this.secrets.some((secret) => secret.length < SHORTEST)) {
      throw refusal(VARIABLE, `must have ${SHORTEST} characters at least in each of its keys`)
    }
    this.secrets.forEach(registerSecret)
  }

  /** As the environment of the store's process gives them, several with commas between. */
  static ofEnvironment(): Keys {
    return new Keys(process.env[VARIABLE])
  }

  /**
   * The keys of a purpose: the first one makes digests, and any is compared with.
   *
   * @param others further secrets, which come last
   */
  of(purpose: "payer" | "address" | "card", others: string[] = []): DigestKey[] {
    return [...this.secrets, ...others].map((secret) => digestKey(secret, purpose))
  }
}
