import { createHash, randomBytes } from "node:crypto"

import { generateEntityId } from "@medusajs/framework/utils"

import { type Database, Statements } from "../../database/sql"
import { notFound, refused } from "../../refusals/refused"
import { registerSecret } from "../../service/redact"
import type { Accounts } from "../../settings/accounts"
import { Keys } from "../../settings/keys"

export const TOKEN_PLACE = "callback-token"

/** The secret part of the callback address: configured, or generated here. */
export class CallbackTokens extends Statements {
  constructor(
    database: Database,
    private readonly accounts: () => Promise<Accounts>
  ) {
    super(database)
  }

  /** Whether the token is in use, or was replaced and not removed. Its use is written down, at most once a minute, and no log shows it. */
  async accepts(token: string): Promise<boolean> {
    const digest = digestOf(token)
    const now = this.clock.now()
    const known = await this.run<unknown[]>`
      with reached as (
         update payment_service_callback_token set reached_at = ${now} where digest = ${digest} and deleted_at is null
           and coalesce(reached_at < ${now}::timestamptz - interval '1 minute', true))
       select 1 from payment_service_callback_token where digest = ${digest} and deleted_at is null`
    if (known.length) registerSecret(token)
    return known.length > 0
  }

  /** The address to enter at the service, with the configured token, else the generated one; null while the store's own is not set. */
  async callbackUrl({ store }: Accounts): Promise<string | null> {
    const { backendUrl, callbackToken } = store
    const token = callbackToken ?? (await this.currentGenerated()) ?? (await this.generate())
    return backendUrl === undefined ? null : `${backendUrl}/hooks/payment-service/${token}`
  }

  /** Makes a new token; the old one works until it is removed. It throws `NOT_ALLOWED` when the token comes from the options. */
  async replaceGenerated(): Promise<void> {
    if ((await this.accounts()).store.callbackToken) throw refused("token_in_options")
    await this.replaceAllBut(digestOf(await this.generate()), "generated")
  }

  /** Ends a replaced token for good. It throws `NOT_ALLOWED` for one in use, and `NOT_FOUND` for one that another admin has removed. */
  async removeReplaced(id: string): Promise<void> {
    const [token] = await this.database.tables.listCallbackTokens({ id }, { take: 1 })
    if (!token) throw notFound("no_token", id)
    if (!token.replaced_at) throw refused("token_in_use")
    await this.database.tables.deleteCallbackTokens(id)
  }

  private async currentGenerated(): Promise<string | null> {
    const rows = await this.database.tables.listCallbackTokens(
      { source: "generated", replaced_at: null },
      { order: { created_at: "ASC" } }
    )
    const keys = Keys.ofEnvironment()
    // One whose key is lost is shown no more, but callbacks still come with it.
    const [token = null] = rows.flatMap(
      (row) => (row.token && keys.kept(TOKEN_PLACE, row.token)) || []
    )
    if (token) registerSecret(token)
    return token
  }

  private async generate(): Promise<string> {
    const token = randomBytes(32).toString("base64url")
    registerSecret(token)
    await this.database.tables.createCallbackTokens({
      token: Keys.ofEnvironment().keep(TOKEN_PLACE, token),
      digest: digestOf(token),
      source: "generated",
    })
    return token
  }

  /** Stores the digest of the configured token, which keeps working after it is replaced in the options. */
  async recordConfigured(): Promise<void> {
    const accounts = await this.accounts()
    const token = accounts.store.callbackToken
    const digest = token ? digestOf(token) : null
    if (digest) {
      await this.run`insert into payment_service_callback_token (id, digest, source)
        values (${generateEntityId("", "pstok")}, ${digest}, 'option')
        on conflict (digest) where deleted_at is null do update set replaced_at = null`
    }
    await this.replaceAllBut(digest, "option")
    // No log shows a generated token, and there is one from the start.
    await this.callbackUrl(accounts)
  }

  private async replaceAllBut(digest: string | null, source: "generated" | "option") {
    await this.run`
      update payment_service_callback_token set replaced_at = ${this.clock.now()}
      where source = ${source} and digest is distinct from ${digest}
        and replaced_at is null and deleted_at is null`
  }
}

const digestOf = (token: string) => createHash("sha256").update(token).digest("hex")
