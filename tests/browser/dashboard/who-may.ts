import axios from "axios"
import { Client } from "@medusajs/framework/pg"
import type { Page } from "playwright-core"

import { type OpenPayment, Shopper } from "../../integration/shopper"
import { eventually } from "../../integration/eventually"
import { Dashboard, SECTION } from "../dashboard-pages"
import { type DemoShop, WIDE } from "../demo-shop"

/** Pages as they are for users whose roles, which Medusa has switched on here, allow only a part. */
export function whoMay(demo: DemoShop): void {
  const dashboard = new Dashboard(demo)
  let database: Client
  let less: OpenPayment
  let problemId: string
  let draftId: string

  beforeAll(async () => {
    database = new Client({ connectionString: demo.databaseUrl })
    await database.connect()
    await give(demo.addresses.adminEmail, "role_super_admin")
    const admin = await dashboard.client()

    const { backend, publishableKey, service, ...shop } = demo.addresses
    const http = axios.create({
      baseURL: backend,
      headers: { "x-publishable-api-key": publishableKey },
      validateStatus: () => true,
    })
    less = await new Shopper({ shop: { ...shop, publishableKey }, http }).checkout("sbp")
    await axios.post(`${service}/__simulator/transactions/${less.data.transaction_id}/pay`, {
      amount: 1000,
    })
    problemId = await eventually("a problem", async () => {
      const { data } = await admin.get<{ problems: { id: string }[] }>(
        "/admin/payment-service/problems?status=open"
      )
      return data.problems[0]?.id
    })
    const { data } = await admin.post<{ payout: { id: string } }>(
      "/admin/payment-service/payouts",
      {
        amount: 1500,
      }
    )
    draftId = data.payout.id
  })
  afterAll(() => database.end())

  /** Gives a user this role and no other. */
  async function give(email: string, role: string): Promise<void> {
    await database.query(
      `delete from user_rbac_role where user_id = (select id from "user" where email = $1)`,
      [email]
    )
    await database.query(
      `insert into user_rbac_role (id, user_id, rbac_role_id)
       select $2 || id, id, $2 from "user" where email = $1`,
      [email, role]
    )
  }

  /** The demo's second admin with a role of these policies only, signed in. */
  async function staffWhoMay(...policies: [resource: string, operation: string][]): Promise<Page> {
    const role = `role_${policies.map((policy) => policy.join("_")).join("_") || "none"}`
    await database.query("insert into rbac_role (id, name) values ($1, $1)", [role])
    for (const [resource, operation] of policies) {
      await database.query(
        `insert into rbac_role_policy (id, role_id, policy_id)
         select $1 || id, $1, id from rbac_policy where resource = $2 and operation = $3`,
        [role, resource, operation]
      )
    }
    const { secondAdminEmail: email, secondAdminPassword: password } = demo.addresses
    await give(email, role)
    // A window of its own for each width, because the role is read when the user signs in.
    const viewport = { ...WIDE, width: WIDE.width + policies.length }
    return await dashboard.logIn("en", viewport, "light", { email, password })
  }

  /** The actions that each page offers, by the names of its buttons and links. */
  async function offers(page: Page): Promise<Record<string, string[]>> {
    const actions = {
      "/transactions": ["Export"],
      [`/transactions/${less.data.transaction_id}`]: ["Check now"],
      "/problems": ["Select all"],
      [`/problems/${problemId}`]: ["Accept the amount", "Other actions"],
      "/comparison": ["Compare now"],
      "/payouts": ["New payout", "Export"],
    }
    const found: Record<string, string[]> = {}
    for (const [path, names] of Object.entries(actions)) {
      await dashboard.visit(page, `${SECTION}${path}`)
      const main = page.getByRole("main")
      for (const name of names) {
        const action = main
          .getByRole("button", { name, exact: true })
          .or(main.getByRole("link", { name, exact: true }))
          .or(main.getByRole("checkbox", { name, exact: true, disabled: false }))
        if (await action.count()) (found[path] ??= []).push(name)
      }
    }
    return found
  }

  it("offers nothing to do to those who may only read (promise 22)", async () => {
    const page = await staffWhoMay(["payment_service", "read"], ["payment_service_payout", "read"])
    expect(await offers(page)).toEqual({})
    await page.goto(`${demo.addresses.backend}${SECTION}/payouts/new?draft=${draftId}`)
    await page.waitForURL((to) => to.pathname.endsWith(`/payouts/${draftId}`))
    await page.goto(`${demo.addresses.backend}${SECTION}/payouts/new`)
    await page.waitForURL((to) => to.pathname.endsWith("/payouts"))
  })

  it("says so to those who may not even look", async () => {
    const page = await staffWhoMay()
    for (const path of ["", "/transactions", "/problems", "/comparison", "/subscriptions"]) {
      await page.goto(`${demo.addresses.backend}${SECTION}${path}`)
      await page.getByText("Your role does not let you see this.").first().waitFor()
    }
    await page.goto(`${demo.addresses.backend}${SECTION}/payouts`)
    await page.getByText("Your role does not let you see payouts.").first().waitFor()
  })
}
