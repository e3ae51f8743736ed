import { setTimeout as sleep } from "node:timers/promises"

import { Client } from "@medusajs/framework/pg"
import axios from "axios"

import { type Simulator, startSimulator } from "../../../simulator"
import { freePort } from "../../free-port.cjs"
import { createDatabase, databaseUrl, dropDatabase } from "../../instances/database"
import { storeEnvironment } from "../../instances/store-environment"
import { StoreInstance } from "../../instances/store-instance"
import { ADMIN, type Admin, logIn, PAYS_OUT } from "../admin"
import { eventually } from "../eventually"
import { CARDS, invited, newAmount, type Payout } from "../payouts/payouts-of"
import {
  answeredOtherwise,
  askEveryRoute,
  EVERY_ROUTE,
  ofEveryRoute,
  routesInFolder,
  scriptOf,
} from "./every-route"

const BASE = "/admin/payment-service"
const EVERYTHING = "role_super_admin"

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

/** A store of its own, which uses the tables of Medusa's roles. */
export function describeWhoMay(): void {
  describe("who may, with Medusa's roles switched on", () => {
    const atTheEnd: (() => Promise<void>)[] = []
    let simulator: Simulator
    let instance: StoreInstance
    let database: Client
    beforeAll(async () => {
      simulator = await startSimulator()
      atTheEnd.push(() => simulator.close())
      const name = await createDatabase()
      atTheEnd.push(() => dropDatabase(name))
      const url = databaseUrl(name)
      instance = new StoreInstance("with roles", await freePort(), {
        ...storeEnvironment(simulator),
        DATABASE_URL: url,
        MEDUSA_FF_RBAC: "true",
        // The simulator's own.
        PAYMENT_SERVICE_SIGNING_SECRET: "demo-signing-secret",
        ...PAYS_OUT,
      })
      atTheEnd.push(() => instance.kill())
      await instance.ready()
      database = new Client({ connectionString: url })
      await database.connect()
      atTheEnd.push(() => database.end())
    })
    afterAll(async () => {
      for (const end of atTheEnd.reverse()) await end()
    })

    const http = () => axios.create({ baseURL: instance.url, validateStatus: () => true })
    /** The administrator with one role, as the dashboard would sign in. */
    const signInAs = async (role: string): Promise<Admin> => {
      await database.query("delete from user_rbac_role")
      await database.query(
        `insert into user_rbac_role (id, user_id, rbac_role_id) select $1, id, $1 from "user" where email = $2`,
        [role, ADMIN.email]
      )
      return await logIn({ http: http() })
    }
    /** The administrator with one role that has these policies. */
    const adminWith = async (
      operations: string[],
      role = `role_${operations.join("_") || "none"}`,
      resource = "payment_service"
    ): Promise<Admin> => {
      await database.query(
        "insert into rbac_role (id, name) values ($1, $1) on conflict do nothing",
        [role]
      )
      await database.query(
        `insert into rbac_role_policy (id, role_id, policy_id)
       select $1 || id, $1, id from rbac_policy where resource = $3 and operation = any($2)`,
        [role, operations, resource]
      )
      return await signInAs(role)
    }
    it("names customers only for those who may see customers, on pages and in files (promise 22)", async () => {
      await database.query(
        "insert into customer (id, email, has_account) values ('cus_1', 'anna@shopper.test', false)"
      )
      await database.query(
        `insert into payment_service_transaction (id, account, base_url, merchant_id, method, session_id,
         payment_collection_id, amount, currency, description, opened_at, customer_id)
         values ('pstx_1', 'main', 'https://pay.test', 'merchant', 'sbp', 'payses_1', 'pay_col_1',
         '100', 'RUB', '', now(), 'cus_1')`
      )
      await database.query(
        `insert into payment_service_problem (id, kind, cause, facts, opened_at, last_seen_at, customer_id, transaction_row_id)
         values ('psprob_2', 'callback_unreadable', 'test', '{}', now(), now(), 'cus_1', 'pstx_1')`
      )
      const paths = [
        "exports/transactions.csv",
        "exports/transactions.json",
        "transactions",
        "transactions/pstx_1",
        "problems",
        "problems/psprob_2",
        "payments?customer_id=cus_1",
      ]
      const namedIn = async (admin: Admin) => {
        const answers = paths.map(
          async (path) => (await admin.get(`/admin/payment-service/${path}`)).data as unknown
        )
        return (await Promise.all(answers)).map((answer) => {
          const text = typeof answer === "string" ? answer : JSON.stringify(answer)
          expect(text).toContain("cus_1")
          return text.includes("anna@shopper.test")
        })
      }
      /** The payments that a search by a part of the address finds, and the addresses that subscriptions name. */
      const foundBy = async (admin: Admin) => {
        const found = async (list: string) => {
          const { data } = await admin.post(`/admin/payment-service/search/${list}`, {
            q: "nna@shop",
          })
          return (data as { count: number }).count
        }
        const { data } = await admin.get("/admin/payment-service/subscriptions")
        return [
          await found("transactions"),
          await found("problems"),
          JSON.stringify(data).includes("payer1@example.com"),
        ]
      }
      const role = "role_exports_customers"
      const sees = await adminWith(["read", "export"], role)
      expect(await namedIn(sees)).toEqual(paths.map(() => false))
      expect(await foundBy(sees)).toEqual([0, 0, false])
      const seesAll = await adminWith(["read"], role, "customer")
      expect(await namedIn(seesAll)).toEqual(paths.map(() => true))
      expect(await foundBy(seesAll)).toEqual([1, 1, true])
      await database.query("delete from payment_service_problem where id = 'psprob_2'")
      await database.query("delete from payment_service_transaction where id = 'pstx_1'")
    })

    it("names no customer in the feed, which users read who may see neither payments nor customers (promise 22)", async () => {
      await database.query(
        "insert into customer (id, email, has_account) values ('cus_2', 'ivan@shopper.test', false)"
      )
      await database.query(
        `insert into payment_service_problem (id, kind, cause, facts, opened_at, last_seen_at, customer_id)
         values ('psprob_1', 'callback_unreadable', 'test', '{}', now(), now(), 'cus_2')`
      )
      await database.query(
        `insert into payment_service_event (id, name, data, written_at, send_at) values ('psevt_psprob_1',
         'payment_service.problem_opened', '{"id": "psevt_psprob_1", "problem_id": "psprob_1"}', now(), now())`
      )
      const told = async () => {
        const { rows } = await database.query<{ data: { description: string } }>(
          "select data from notification where idempotency_key = 'psevt_psprob_1'"
        )
        return rows[0]?.data.description
      }
      await eventually("the feed has it", told)
      await sleep(1_000)
      expect(await told()).not.toContain("ivan@shopper.test")
      await database.query("delete from payment_service_problem where id = 'psprob_1'")
    })

    it("refuses each route to whoever is not signed in, lacks one of its policies, or is a script (promise 22)", async () => {
      const refusedWith = (status: number) => ofEveryRoute(() => status)
      const answers = async (who: Record<string, string> = {}) => {
        const found = Object.entries(await askEveryRoute(http(), who))
        return Object.fromEntries(found.map(([name, { status }]) => [name, status]))
      }
      const signedIn = async () => {
        const { data } = await http().post<{ token: string }>("/auth/user/emailpass", ADMIN)
        return { authorization: `Bearer ${data.token}` }
      }
      const asAdmin = async () => await answers(await signedIn())
      expect(await answers()).toEqual(refusedWith(401))
      await adminWith([])
      expect(await asAdmin()).toEqual(refusedWith(403))
      const root = await adminWith([], EVERYTHING)
      expect(await asAdmin()).toEqual(ofEveryRoute(({ answer }) => answer))
      // As on Medusa's own routes: a key has no roles.
      expect(await answers(await scriptOf(root))).toEqual(refusedWith(403))

      const policies = new Set(Object.values(EVERY_ROUTE).flatMap(({ needs }) => needs))
      expect(policies.size).toBe(8)
      for (const [index, policy] of [...policies].entries()) {
        const role = `role_without_${index}`
        await database.query("insert into rbac_role (id, name) values ($1, $1)", [role])
        await database.query(
          `insert into rbac_role_policy (id, role_id, policy_id) select $1 || id, $1, id from rbac_policy
           where resource like 'payment_service%' and resource || ':' || operation <> $2`,
          [role, policy]
        )
        await signInAs(role)
        expect([policy, await asAdmin()]).toEqual([
          policy,
          ofEveryRoute(({ needs, answer }) => (needs.includes(policy) ? 403 : answer)),
        ])
        // However an address is spelled, none of its policies is missed.
        const needing = Object.entries(EVERY_ROUTE).filter(([, { needs }]) =>
          needs.includes(policy)
        )
        const routes = needing.map(([name]) => name)
        expect(await answeredOtherwise(instance.url, await signedIn(), routes)).toEqual([])
      }
    })

    it("lets users pay out who are named, a day old and have the role for what they do, however else they signed in (promise 16)", async () => {
      const acts = routesInFolder().filter((route) => /^(?!GET)\w+ payouts(?:\/|$)/.test(route))
      expect(Object.keys(ACTS)).toEqual(acts)

      const admin = await signInAs(EVERYTHING)
      const made = await admin.post(`${BASE}/payouts`, { card_id: CARDS[0], amount: newAmount() })
      const { id, amount } = made.data.payout as Payout
      const answersTo = async (headers: Record<string, string>) => {
        const answers = Object.entries(ACTS).map(async ([act, body]) => {
          const [method = "", path = ""] = act.split(" ")
          const url = `${BASE}/${path.replace("[id]", id)}`
          const request = { method, url, headers, ...(method === "POST" && { data: body }) }
          const { status, data } = await http().request<{ code?: string }>(request)
          return [act, status === 403 ? status : data.code]
        })
        return Object.fromEntries(await Promise.all(answers)) as Record<string, unknown>
      }
      const refusedAs = (why: unknown) => Object.fromEntries(acts.map((act) => [act, why]))
      const signedIn = async (user = ADMIN) => {
        const { data } = await http().post<{ token: string }>("/auth/user/emailpass", user)
        return { authorization: `Bearer ${data.token}` }
      }

      // A key has no roles, whoever has made it.
      expect(await answersTo(await scriptOf(admin))).toEqual(refusedAs(403))

      // An invited user chooses an e-mail address, and has no role until somebody gives them one.
      const guest = { email: "Admin@shop.test", password: "a-password-that-they-chose" }
      await invited(http(), admin, guest)
      expect(await answersTo(await signedIn(guest))).toEqual(refusedAs(403))
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
      await adminWith(["read"], "role_reads_payouts", "payment_service_payout")
      expect(await answersTo(await signedIn())).toEqual(refusedAs(403))
      await signInAs(EVERYTHING)
      const setAge = (age: string) =>
        database.query(`update "user" set created_at = now() - $1::interval where email = $2`, [
          ...[age, ADMIN.email],
        ])
      await setAge("23 hours")
      expect(await answersTo(await signedIn())).toEqual(refusedAs("user_too_new"))
      await setAge("25 hours")

      // None of them did anything.
      const payouts = await admin.get(`${BASE}/payouts`)
      expect(payouts.data).toMatchObject({ count: 1, payouts: [made.data.payout] })
      expect(simulator.payouts()).toEqual([])
      const sent = await admin.post(`${BASE}/payouts/${id}/send`, { revision: 1 })
      expect(sent.data.payout).toMatchObject({ state: "created", amount })
    })

    it("tells an order's page of its payouts, and exports them, only for who may see payouts (promise 22)", async () => {
      const ofOrder = async (admin: Admin) =>
        (await admin.get(`${BASE}/payments?order_id=order_1`)).data.payouts
      expect(await ofOrder(await adminWith(["read", "update", "export"]))).toBeNull()
      await adminWith(["read"], "role_sees_order")
      const seesBoth = await adminWith(["read"], "role_sees_order", "payment_service_payout")
      expect(await ofOrder(seesBoth)).toMatchObject({ payouts: [], smallest: null })

      // A file needs both: payouts may be seen, and files may be made.
      const file = async (admin: Admin) => (await admin.get(`${BASE}/exports/payouts.csv`)).status
      const both = "role_exports_payouts"
      expect(await file(await adminWith(["read"], both, "payment_service_payout"))).toBe(403)
      expect(await file(await adminWith(["export"], both))).toBe(200)
    })
  })
}
