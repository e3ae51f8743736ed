import type { IApiKeyModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, generateJwtToken, Modules } from "@medusajs/framework/utils"
import type { AxiosInstance, AxiosResponse } from "axios"

import { type Admin, ADMIN_ID } from "../admin"
import type { TestStore } from "../store"

const ADDRESS = "/admin/payment-service"
/** Of `medusa-config.ts`, where the environment gives no other. */
const JWT_SECRET = "only-for-development"

type Answer = AxiosResponse<{
  payout: Payout
  payouts: Payout[]
  journal: { kind: string; by: { name: string } | null; address: string | null; facts: object }[]
  code: string
  message: string
  messages: { en: string; ru: string }
  [key: string]: unknown
}>
export interface Payout {
  id: string
  state: string
  revision: number
  attempts: number
  amount: number
  card_masked: string | null
  amount_usdt: string | null
  withdrawal_record_id: string | null
  reason: { code: string; en: string; ru: string } | null
  actions: string[]
  needs_card_number: boolean
  [key: string]: unknown
}

/** Somebody who asks the store's routes about payouts. */
export interface PayoutUser {
  id: string
  get: (path: string) => Promise<Answer>
  post: (path: string, body?: unknown, headers?: Record<string, string>) => Promise<Answer>
  delete: (path: string) => Promise<Answer>
}

/** Saved cards of the simulator: the first two are active. */
export const CARDS = [1, 2, 3, 4].map((number) => `c0a8e5d2-3f41-4b6c-9e07-00000000000${number}`)
export const NUMBER = "4000001234567899"

const idOf = (name: string) => `user_${name.toLowerCase()}`

/** The options of a store whose people may pay out, where a test wants no others. */
export const payoutsWith = (more: object = {}) => ({
  payouts: {
    enabled: true,
    perDay: 10_000_000,
    users: [ADMIN_ID, ...["Anna", "Boris", "Vera", "Galina"].map(idOf)],
    ...more,
  },
})

/** A user of the dashboard with this name, signed in, who has been one for long. */
export async function signedIn(
  store: TestStore,
  name: string,
  since = new Date("2020-01-01")
): Promise<PayoutUser> {
  const id = idOf(name)
  await store.container
    .resolve(ContainerRegistrationKeys.PG_CONNECTION)
    .raw('insert into "user" (id, email, first_name, created_at) values (?, ?, ?, ?)', [
      ...[id, `${name.toLowerCase()}@shop.test`, name, since],
    ])
  // As Medusa makes it when they sign in.
  const token = generateJwtToken(
    { actor_id: id, actor_type: "user", auth_identity_id: `auth_${id}`, app_metadata: {} },
    { secret: JWT_SECRET, expiresIn: "1d" }
  )
  return asker(store, id, { authorization: `Bearer ${token}` })
}

/** Makes a user whom this admin invites through Medusa's own routes, and who chooses e-mail address and password. */
export async function invited(
  http: AxiosInstance,
  admin: Admin,
  chosen: { email: string; password: string }
): Promise<void> {
  const asked = await admin.post("/admin/invites", { email: `for.${chosen.email}` })
  const { token } = asked.data.invite as { token: string }
  const registered = await http.post<{ token: string }>("/auth/user/emailpass/register", chosen)
  const accepted = await http.post(
    `/admin/invites/accept?token=${token}`,
    { email: chosen.email, first_name: "Anna" },
    { headers: { authorization: `Bearer ${registered.data.token}` } }
  )
  expect(accepted.status).toBe(200)
}

/** A secret API key of a script. */
export async function apiKey(store: TestStore, by: PayoutUser): Promise<PayoutUser> {
  const key = await store.container
    .resolve<IApiKeyModuleService>(Modules.API_KEY)
    .createApiKeys({ title: "a script", type: "secret", created_by: by.id })
  const basic = Buffer.from(`${key.token}:`).toString("base64")
  return asker(store, key.id, { authorization: `Basic ${basic}` })
}

function asker(
  { http }: Pick<TestStore, "http">,
  id: string,
  headers: Record<string, string>
): PayoutUser {
  const look = async (payout: string, isMark: boolean) => {
    const { data } = await http.get<{ payout?: Payout }>(`${ADDRESS}/payouts/${payout}`, {
      headers,
    })
    const { revision = 1, attempts = 1 } = data.payout ?? {}
    return isMark ? { attempts } : { revision }
  }
  return {
    id,
    get: (path) => http.get(`${ADDRESS}/${path}`, { headers }),
    post: async (path, body = {}, more = {}) => {
      // As in the dashboard, what is done is done to what was seen; `undefined` in a body leaves a field out.
      const [, id] = /^payouts\/(?!stop$)([^/]+)(?:\/(?:send|approve|mark))?$/.exec(path) ?? []
      const said = Buffer.isBuffer(body) ? ["revision"] : Object.keys(body as object)
      const isSaid = !id || said.includes("revision") || said.includes("attempts")
      const sent = isSaid
        ? body
        : { ...(await look(id, path.endsWith("mark"))), ...(body as object) }
      return await http.post(`${ADDRESS}/${path}`, sent, { headers: { ...headers, ...more } })
    },
    delete: (path) => http.delete(`${ADDRESS}/${path}`, { headers }),
  }
}

/** Does something while a payout meets this fault at the service. */
export type WaitingShortly = <T>(fault: { kind: string }, work: () => Promise<T>) => Promise<T>

let amounts = 1_000

/** An amount that no other payout of a test has, so that none is similar. */
export const newAmount = () => (amounts += 1)

/** A draft; to a saved card unless it says otherwise. */
export async function draft(user: PayoutUser, body: object = {}): Promise<Payout> {
  const answer = await user.post("payouts", { card_id: CARDS[0], amount: newAmount(), ...body })
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.data))
  return answer.data.payout
}

/** A draft that waits for a typed number. */
export const typedDraft = (user: PayoutUser, body: object = {}) =>
  draft(user, { card_id: null, ...body })

export const send = (user: PayoutUser, { id }: Payout, body: object = {}) =>
  user.post(`payouts/${id}/send`, body)
