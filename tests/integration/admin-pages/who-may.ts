import { setTimeout as sleep } from "node:timers/promises"

import { Client } from "@medusajs/framework/pg"
import axios from "axios"

import { type Simulator, startSimulator } from "../../../simulator"
import { freePort } from "../../free-port.cjs"
import { createDatabase, databaseUrl, dropDatabase } from "../../instances/database"
import { storeEnvironment } from "../../instances/store-environment"
import { StoreInstance } from "../../instances/store-instance"
import { ADMIN, ADMIN_ID, type Admin, logIn, PAYS_OUT } from "../admin"
import { eventually } from "../eventually"
import { OTHERS, payoutsWithRoles } from "../payouts/with-roles"
import {
  answeredOtherwise,
  askEveryRoute,
  EVERY_ROUTE,
  ofEveryRoute,
  scriptOf,
} from "./every-route"

/** A store of its own, which uses the tables of Medusa's roles. */
export function describeWhoMay(): void {
  describe("who may, with Medusa's roles switched on", () => {
    const atTheEnd: (() => Promise<void>)[] = []
    let simulator: Simulator
    let environment: NodeJS.ProcessEnv
    let instance: StoreInstance
    let database: Client
    beforeAll(async () => {
      simulator = await startSimulator()
      atTheEnd.push(() => simulator.close())
      const name = await createDatabase()
      atTheEnd.push(() => dropDatabase(name))
      const url = databaseUrl(name)
      environment = {
        ...storeEnvironment(simulator),
        DATABASE_URL: url,
        MEDUSA_FF_RBAC: "true",
        // The simulator's own.
        PAYMENT_SERVICE_SIGNING_SECRET: "demo-signing-secret",
        ...PAYS_OUT,
        PAYMENT_SERVICE_PAYOUTS_USERS: [ADMIN_ID, ...OTHERS].join(),
      }
      instance = await start("with roles")
      database = new Client({ connectionString: url })
      await database.connect()
      atTheEnd.push(() => database.end())
    })
    const start = async (name: string, more: Record<string, string> = {}) => {
      const started = new StoreInstance(name, await freePort(), { ...environment, ...more })
      atTheEnd.push(() => started.kill())
      await started.ready()
      return started
    }
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
      /** What a search by a part of the address finds, and whether subscriptions say theirs. */
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

    it("refuses each route to whoever is not signed in, lacks one of its policies, or is a script", async () => {
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
      const root = await adminWith([], "role_super_admin")
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

    payoutsWithRoles({
      http,
      database: () => database,
      signInAs,
      adminWith,
      simulator: () => simulator,
      start,
    })

    it("tells an order's page of its payouts, and exports them, only for who may see payouts (promise 22)", async () => {
      const base = "/admin/payment-service"
      const ofOrder = async (admin: Admin) =>
        (await admin.get(`${base}/payments?order_id=order_1`)).data.payouts
      expect(await ofOrder(await adminWith(["read", "update", "export"]))).toBeNull()
      await adminWith(["read"], "role_sees_order")
      const seesBoth = await adminWith(["read"], "role_sees_order", "payment_service_payout")
      expect(await ofOrder(seesBoth)).toMatchObject({ payouts: [], smallest: null })

      // A file needs both: payouts may be seen, and files may be made.
      const file = async (admin: Admin) => (await admin.get(`${base}/exports/payouts.csv`)).status
      const both = "role_exports_payouts"
      expect(await file(await adminWith(["read"], both, "payment_service_payout"))).toBe(403)
      expect(await file(await adminWith(["export"], both))).toBe(200)
    })
  })
}
