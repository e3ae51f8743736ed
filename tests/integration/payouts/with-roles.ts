import type { Client } from "@medusajs/framework/pg"
import axios, { type AxiosInstance } from "axios"

import type { Simulator } from "../../../simulator"
import { JWT_SECRET } from "../../instances/store-environment"
import type { StoreInstance } from "../../instances/store-instance"
import { scriptOf, routesInFolder } from "../admin-pages/every-route"
import { ADMIN, type Admin } from "../admin"
import { isTypedByBoth } from "./approval"
import { goesToTheDigitsSeen, isActedOnAsSeen, keepsBothAddresses } from "./attacks"
import {
  CARDS,
  invited,
  newAmount,
  type Payout,
  type PayoutUser,
  type TwoUsers,
  userOf,
} from "./payouts-of"

const ADDRESS = "/admin/payment-service"
const EVERYTHING = "role_super_admin"

/** Users who may pay out besides the administrator. */
export const OTHERS = ["user_anna", "user_boris"]

/** A store with Medusa's roles, whose administrator and the others are named in `payouts.users`. */
interface StoreWithRoles {
  http: () => AxiosInstance
  database: () => Client
  /** Signs the administrator in with this role alone. */
  signInAs: (role: string) => Promise<Admin>
  /** The same with a new role that has these operations on payouts. */
  adminWith: (operations: string[], role: string, resource: string) => Promise<Admin>
  simulator: () => Simulator
  /** Another process of the store, with these variables besides. */
  start: (name: string, environment: Record<string, string>) => Promise<StoreInstance>
}

/** Each act on payouts, by its route. */
const ACTS: Record<string, object> = {
  "DELETE payouts/[id]": {},
  "POST payouts": { card_id: CARDS[0], amount: newAmount() },
  "POST payouts/[id]": { amount: newAmount(), revision: 1 },
  "POST payouts/[id]/approve": { revision: 1 },
  "POST payouts/[id]/mark": { sent: true, note: "Seen", attempts: 1 },
  "POST payouts/[id]/send": { revision: 1 },
  "POST payouts/stop": { stopped: true },
}

export function payoutsWithRoles(store: StoreWithRoles): void {
  it("are for users who are named, a day old and have the role for what they do, however else they signed in (promise 16)", async () => {
    const acts = routesInFolder().filter((route) => /^(?!GET)\w+ payouts(?:\/|$)/.test(route))
    expect(Object.keys(ACTS)).toEqual(acts)

    const admin = await store.signInAs(EVERYTHING)
    const made = await admin.post(`${ADDRESS}/payouts`, { card_id: CARDS[0], amount: newAmount() })
    const { id, amount } = made.data.payout as Payout
    const answersTo = async (headers: Record<string, string>) => {
      const answers = Object.entries(ACTS).map(async ([act, body]) => {
        const [method = "", path = ""] = act.split(" ")
        const url = `${ADDRESS}/${path.replace("[id]", id)}`
        const request = { method, url, headers, ...(method === "POST" && { data: body }) }
        const { status, data } = await store.http().request<{ code?: string }>(request)
        return [act, status === 403 ? status : data.code]
      })
      return Object.fromEntries(await Promise.all(answers)) as Record<string, unknown>
    }
    const refusedAs = (why: unknown) => Object.fromEntries(acts.map((act) => [act, why]))
    const signedIn = async (user = ADMIN) => {
      const { data } = await store.http().post<{ token: string }>("/auth/user/emailpass", user)
      return { authorization: `Bearer ${data.token}` }
    }

    // A key has no roles, whoever has made it.
    expect(await answersTo(await scriptOf(admin))).toEqual(refusedAs(403))

    // Who was invited chooses an e-mail address, and has no role until somebody gives them one.
    const guest = { email: "Admin@shop.test", password: "a-password-that-they-chose" }
    await invited(store.http(), admin, guest)
    expect(await answersTo(await signedIn(guest))).toEqual(refusedAs(403))
    const database = store.database()
    await database.query(
      `insert into user_rbac_role (id, user_id, rbac_role_id)
       select 'of_guest', id, $1 from "user" where email = $2`,
      [EVERYTHING, guest.email]
    )
    expect(await answersTo(await signedIn(guest))).toEqual(refusedAs("not_permitted"))
    await database.query(`update "user" set created_at = '2020-01-01' where email = $1`, [
      guest.email,
    ])
    expect(await answersTo(await signedIn(guest))).toEqual(refusedAs("not_permitted"))

    // The named administrator without the role, and with it, but a new user.
    await store.adminWith(["read"], "role_reads_payouts", "payment_service_payout")
    expect(await answersTo(await signedIn())).toEqual(refusedAs(403))
    await store.signInAs(EVERYTHING)
    const setAge = (age: string) =>
      database.query(`update "user" set created_at = now() - $1::interval where email = $2`, [
        ...[age, ADMIN.email],
      ])
    await setAge("23 hours")
    expect(await answersTo(await signedIn())).toEqual(refusedAs("user_too_new"))
    await setAge("25 hours")

    // None of them did anything.
    const payouts = await admin.get(`${ADDRESS}/payouts`)
    expect(payouts.data).toMatchObject({ count: 1, payouts: [made.data.payout] })
    expect(store.simulator().payouts()).toEqual([])
    const sent = await admin.post(`${ADDRESS}/payouts/${id}/send`, { revision: 1 })
    expect(sent.data.payout).toMatchObject({ state: "created", amount })
  })

  it("are what was seen, approved and typed, by two users with the role for payouts (promise 16)", async () => {
    const role = "role_pays_out"
    await store.adminWith(["read", "create", "approve"], role, "payment_service_payout")
    for (const id of OTHERS) {
      await store
        .database()
        .query(`insert into "user" (id, email, created_at) values ($1, $1, '2020-01-01')`, [id])
    }
    const simulator = store.simulator()
    const usersOf = (http: AxiosInstance): TwoUsers => {
      const [anna, boris] = OTHERS.map((id) =>
        userOf({ http }, id, { secret: JWT_SECRET, roles: [role] })
      ) as [PayoutUser, PayoutUser]
      const before = simulator.payouts().length
      return { anna, boris, simulator, ledger: () => simulator.payouts().slice(before) }
    }
    await isActedOnAsSeen(usersOf(store.http()))
    await keepsBothAddresses(usersOf(store.http()))
    const approval = { PAYMENT_SERVICE_PAYOUTS_APPROVAL: "true" }
    const { url } = await store.start("with approval", approval)
    const http = axios.create({ baseURL: url, validateStatus: () => true })
    await isTypedByBoth(usersOf(http))
    await goesToTheDigitsSeen(usersOf(http))
  })
}
