import { createHash, randomBytes } from "node:crypto"

import { registerSecret } from "../../service/redact"
import type { Accounts } from "./accounts"
import type { Clock } from "./clock"
import type { Tables } from "./tables"
import { notFound, refused } from "./refused-deed"
import { type RunSql, sql } from "./sql"

/** Random bytes of a token, so many that nobody can guess it. */
const TOKEN_BYTES = 32

/** The secret part of the callback address: configured, or generated here. */
export class CallbackTokens {
  constructor(
    private readonly accounts: () => Promise<Accounts>,
    private readonly clock: Clock,
    private readonly rows: Tables,
    private readonly run: RunSql
  ) {}

  /**
   * Whether the callback address has this token, or had it before without its removal since. That somebody has asked with it is
   * written down, at most once a minute.
   */
  async accepts(token: string): Promise<boolean> {
    const digest = digestOf(token)
    const { callbackToken } = (await this.accounts()).store
    const isConfigured = callbackToken !== undefined && digestOf(callbackToken) === digest
    const now = this.clock.now()
    const known = await this.run<unknown[]>(
      sql`with reached as (
         update payment_service_callback_token set reached_at = ${now} where digest = ${digest} and deleted_at is null
           and coalesce(reached_at < ${now}::timestamptz - interval '1 minute', true))
       select 1 from payment_service_callback_token where digest = ${digest} and deleted_at is null`
    )
    return isConfigured || known.length > 0
  }

  /** The address to enter at the service, with the configured token, else the generated one. */
  async callbackUrl({ store }: Accounts): Promise<string> {
    const { backendUrl, callbackToken } = store
    const token = callbackToken ?? (await this.currentGenerated()) ?? (await this.generate())
    return `${backendUrl}/hooks/payment-service/${token}`
  }

  /**
   * Makes a new token; the previous one keeps working until it is removed.
   *
   * @throws MedusaError `NOT_ALLOWED` when the token comes from the options: it must be replaced there
   */
  async replaceGenerated(): Promise<void> {
    if ((await this.accounts()).store.callbackToken) throw refused("token_in_options")
    const before = await this.rows.listCallbackTokens({ source: "generated", replaced_at: null })
    await this.generate()
    await this.rows.updateCallbackTokens(
      before.map(({ id }) => ({ id, replaced_at: this.clock.now() }))
    )
  }

  /**
   * Ends a replaced token for good.
   *
   * @throws MedusaError `NOT_ALLOWED` for a token that is in use: replace it first
   * @throws MedusaError `NOT_FOUND` for one that is gone, because another admin was faster
   */
  async removeReplaced(id: string): Promise<void> {
    const [token] = await this.rows.listCallbackTokens({ id }, { take: 1 })
    if (!token) throw notFound("no_token", id)
    if (!token.replaced_at) throw refused("token_in_use")
    await this.rows.deleteCallbackTokens(id)
  }

  private async currentGenerated(): Promise<string | null> {
    const [row] = await this.rows.listCallbackTokens(
      { source: "generated", replaced_at: null },
      { order: { created_at: "ASC" }, take: 1 }
    )
    if (row?.token) {
      registerSecret(row.token)
    }
    return row?.token ?? null
  }

  private async generate(): Promise<string> {
    const token = randomBytes(TOKEN_BYTES).toString("base64url")
    registerSecret(token)
    await this.rows.createCallbackTokens({ token, digest: digestOf(token), source: "generated" })
    return token
  }

  /** Stores the digest of the configured token, so that it keeps working after it is replaced in the options. */
  async recordConfigured(): Promise<void> {
    const { callbackToken } = (await this.accounts()).store
    const digests = callbackToken ? [digestOf(callbackToken)] : []
    const known = await this.rows.listCallbackTokens({ source: "option" })
    const missing = digests.filter((digest) => !known.some((row) => row.digest === digest))
    await this.rows.createCallbackTokens(
      missing.map((digest) => ({ digest, source: "option" as const }))
    )
    const replaced = known.filter((row) => !row.replaced_at && !digests.includes(row.digest))
    await this.rows.updateCallbackTokens(
      replaced.map(({ id }) => ({ id, replaced_at: this.clock.now() }))
    )
    if (!callbackToken && !(await this.currentGenerated())) {
      await this.generate()
    }
  }
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex")
}
