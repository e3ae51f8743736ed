import { createHash, randomBytes } from "node:crypto"

import { generateEntityId } from "@medusajs/framework/utils"

import { registerSecret } from "../../service/redact"
import type { Accounts } from "./accounts"
import type { Clock } from "./clock"
import type { Tables } from "./tables"
import { notFound, refused } from "./refused-deed"
import { columnsAndValues, type RunSql, sql } from "./sql"

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
    await this.replaceAllBut(digestOf(await this.generate()), "generated")
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
    if (row?.token) registerSecret(row.token)
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
    const accounts = await this.accounts()
    const { callbackToken } = accounts.store
    const digest = callbackToken ? digestOf(callbackToken) : null
    if (digest) {
      const columns = { id: generateEntityId("", "pstok"), digest, source: "option" }
      await this.run(
        sql`insert into payment_service_callback_token ${columnsAndValues(columns)} on conflict do nothing`
      )
    }
    await this.replaceAllBut(digest, "option")
    // No log shows a generated token, and there is one from the start.
    await this.callbackUrl(accounts)
  }

  private async replaceAllBut(digest: string | null, source: "generated" | "option") {
    await this.run(
      sql`update payment_service_callback_token set replaced_at = ${this.clock.now()}
       where source = ${source} and digest is distinct from ${digest}
         and replaced_at is null and deleted_at is null`
    )
  }
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex")
}
