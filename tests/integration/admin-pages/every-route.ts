import { once } from "node:events"
import { readdirSync, readFileSync } from "node:fs"
import { type IncomingMessage, request } from "node:http"
import { join } from "node:path"

import type { AxiosInstance } from "axios"

import { pathsOf } from "../../paths-of-routes"
import { ADMIN, type Admin, logIn } from "../admin"
import type { TestStore } from "../store"

const FOLDER = join(__dirname, "../../../src/api/admin/payment-service")

interface AdminRoute {
  /** The policies without any of which it answers 403 in a store with Medusa's roles. */
  needs: string[]
  /** A wrong question, which the tests ask: behind "?", or as its body. */
  query?: string
  body?: object
  /** The answer to that question, or to one about what does not exist. */
  answer: number
}

const READ = ["payment_service:read"]
const UPDATE = ["payment_service:update"]
const [SEE, MAKE, APPROVE] = ["read", "create", "approve"].map((operation) => [
  `payment_service_payout:${operation}`,
]) as [string[], string[], string[]]

const noSuchFilter = { query: "nonsense=1", answer: 400 }
const noSuchField = { body: { nonsense: 1 }, answer: 400 }
const notThere = { answer: 404 }
const exportOf = (seen: string[]) => ({
  needs: [...seen, "payment_service:export"],
  ...noSuchFilter,
  ...noSuchField,
})

/** Every admin route of ours. */
export const EVERY_ROUTE: Record<string, AdminRoute> = {
  "GET callback-tokens": { needs: READ, answer: 200 },
  // The options of the store give the token.
  "POST callback-tokens": { needs: UPDATE, answer: 400 },
  "DELETE callback-tokens/[id]": { needs: UPDATE, ...notThere },
  "GET cards": { needs: SEE, ...noSuchFilter },
  "GET comparisons": { needs: READ, ...noSuchFilter },
  "POST comparisons": { needs: UPDATE, ...noSuchField },
  "GET comparisons/[id]": { needs: READ, ...notThere },
  "GET connection": { needs: READ, answer: 200 },
  "POST connection/check": { needs: UPDATE, ...noSuchField },
  "GET exports": { needs: READ, ...noSuchFilter },
  "GET exports/payouts.csv": exportOf(SEE),
  "POST exports/payouts.csv": exportOf(SEE),
  "GET exports/payouts.json": exportOf(SEE),
  "POST exports/payouts.json": exportOf(SEE),
  "GET exports/payouts.xlsx": exportOf(SEE),
  "POST exports/payouts.xlsx": exportOf(SEE),
  "GET exports/transactions.csv": exportOf(READ),
  "POST exports/transactions.csv": exportOf(READ),
  "GET exports/transactions.json": exportOf(READ),
  "POST exports/transactions.json": exportOf(READ),
  "GET exports/transactions.xlsx": exportOf(READ),
  "POST exports/transactions.xlsx": exportOf(READ),
  "GET overview": { needs: READ, ...noSuchFilter },
  "GET payments": { needs: READ, ...noSuchFilter },
  "GET payout-settings": { needs: SEE, answer: 200 },
  "GET payouts": { needs: SEE, ...noSuchFilter },
  "POST payouts": { needs: MAKE, ...noSuchField },
  "GET payouts/[id]": { needs: SEE, ...notThere },
  "POST payouts/[id]": { needs: MAKE, ...noSuchField },
  "DELETE payouts/[id]": { needs: MAKE, ...notThere },
  "POST payouts/[id]/approve": { needs: APPROVE, body: { revision: 1 }, ...notThere },
  "POST payouts/[id]/mark": {
    needs: APPROVE,
    body: { sent: true, note: "Seen", attempts: 1 },
    ...notThere,
  },
  "POST payouts/[id]/send": { needs: MAKE, body: { revision: 1 }, ...notThere },
  "POST payouts/stop": { needs: MAKE, ...noSuchField },
  "GET problems": { needs: READ, ...noSuchFilter },
  "GET problems/[id]": { needs: READ, ...notThere },
  "POST problems/[id]/accept-amount": { needs: UPDATE, ...noSuchField },
  "POST problems/[id]/handle": { needs: UPDATE, ...noSuchField },
  "POST problems/[id]/link-order": { needs: UPDATE, ...noSuchField },
  "POST problems/[id]/place-order": { needs: UPDATE, ...noSuchField },
  "POST problems/[id]/refunded-outside": { needs: UPDATE, ...noSuchField },
  "POST problems/[id]/replace-order": { needs: UPDATE, ...noSuchField },
  "POST problems/[id]/take-instead": { needs: UPDATE, ...noSuchField },
  "POST problems/[id]/retry": { needs: UPDATE, ...notThere },
  "POST search/payouts": { needs: SEE, ...noSuchField },
  "POST search/problems": { needs: READ, ...noSuchField },
  "POST search/service-transactions": { needs: READ, ...noSuchField },
  "POST search/transactions": { needs: READ, ...noSuchField },
  "GET service-transactions": { needs: READ, ...noSuchFilter },
  "GET service-transactions/[id]": { needs: READ, ...noSuchFilter },
  "GET settings": { needs: ["payment_service_settings:read"], answer: 200 },
  "POST settings": { needs: ["payment_service_settings:update"], ...noSuchField },
  "POST settings/test-payment": { needs: ["payment_service_settings:update"], ...noSuchField },
  "GET subscriptions": { needs: READ, ...noSuchFilter },
  "GET subscriptions/[id]": { needs: READ, ...noSuchFilter },
  "GET transactions": { needs: READ, ...noSuchFilter },
  "GET transactions/[id]": { needs: READ, ...notThere },
  "POST transactions/[id]/identify": { needs: UPDATE, ...noSuchField },
  "POST transactions/[id]/refund": { needs: UPDATE, ...noSuchField },
  "POST transactions/[id]/settle": { needs: UPDATE, ...notThere },
  "GET watcher": { needs: READ, answer: 200 },
}

/** The same for each route. */
export const ofEveryRoute = <Of>(of: (route: AdminRoute) => Of): Record<string, Of> =>
  Object.fromEntries(Object.entries(EVERY_ROUTE).map(([name, route]) => [name, of(route)]))

/** The answers of all routes to their wrong questions, one after the other. */
export async function askEveryRoute(
  http: AxiosInstance,
  headers: Record<string, string> = {}
): Promise<Record<string, { status: number; code: unknown }>> {
  const answers: Record<string, { status: number; code: unknown }> = {}
  for (const [name, { query = "", body }] of Object.entries(EVERY_ROUTE)) {
    const [method = "", path = ""] = name.split(" ")
    const asked = path.replace("[id]", "none_1")
    const { status, data } = await http.request<{ code?: unknown }>({
      method,
      url: `/admin/payment-service/${asked}?${query}`,
      headers,
      ...(method === "POST" ? { data: body ?? {} } : {}),
      validateStatus: () => true,
    })
    answers[name] = { status, code: data.code }
  }
  return answers
}

/** Other ways to write the address of a route: each leads where its plain one leads, or nowhere. */
function otherSpellings(path: string): string[] {
  const [, folder = "", file = ""] = /^(.*)\/(.*)$/.exec(path) ?? []
  return [
    ...[
      path.toUpperCase(),
      `${path}#`,
      `${folder}/x#/${file}`,
      `${path}/`,
      `${path}//`,
      `${path}.xlsx`,
    ],
    `${folder}/%${file.charCodeAt(0).toString(16)}${file.slice(1)}`,
    ...[path.replaceAll(".", "%2e"), `${path}%2e`, `${path}%23`, `${folder}/%2e/${file}`],
    ...[`/${path}`, `${folder}//${file}`, path.replace("/none_1", "//none_1")],
    // Within an id, an encoded slash belongs to the id.
    ...(path.includes("none_1/") ? [] : [`${folder}%2f${file}`]),
  ].filter((spelling) => spelling !== path)
}

/** The answers to other spellings of all addresses that are neither those to the plain ones nor that there is nothing. */
export async function answeredOtherwise(
  url: string,
  headers: Record<string, string> = {},
  routes = routesInFolder()
): Promise<{ asked: string; answer: object; plain: object }[]> {
  // The address is sent exactly as it is written, as hardly any client does.
  const answerTo = async (method: string, path: string, body?: object) => {
    const type = body ? { "content-type": "application/json" } : {}
    const asked = request(url, { method, path, headers: { ...headers, ...type } })
    asked.end(body && JSON.stringify(body))
    const [answer] = (await once(asked, "response")) as [IncomingMessage]
    const { statusCode, headers: answered } = answer
    answer.resume()
    return { status: statusCode, type: answered["content-type"] }
  }
  const found: Awaited<ReturnType<typeof answeredOtherwise>> = []
  for (const name of routes) {
    const [method = "", file = ""] = name.split(" ")
    const path = `/admin/payment-service/${file.replace("[id]", "none_1")}`
    const body = method === "POST" ? (EVERY_ROUTE[name]?.body ?? {}) : undefined
    const plain = await answerTo(method, path, body)
    const others = otherSpellings(path).map((spelling) => [method, spelling] as const)
    if (method === "GET") others.push(["HEAD", path])
    const answers = others.map(async ([as, spelling]) => {
      const answer = await answerTo(as, spelling, body)
      const isSame = answer.status === plain.status && answer.type === plain.type
      if (!isSame && answer.status !== 404) {
        found.push({ asked: `${as} ${spelling}`, answer, plain })
      }
    })
    await Promise.all(answers)
  }
  return found
}

/** The routes that stand in the folder, by method and path. */
export function routesInFolder(): string[] {
  return readdirSync(FOLDER, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith("/route.ts"))
    .flatMap((file) => {
      const text = readFileSync(join(FOLDER, file), "utf8")
      const exported = text.matchAll(/^export (?:const|async function|\{ \w+ as) ([A-Z]+)\b/gm)
      const paths = pathsOf(file.replace(/\/route\.ts$/, ""), text)
      return [...exported].flatMap(([, method]) => paths.map((path) => `${method} ${path}`))
    })
    .sort()
}

/** The headers of a script with a secret API key that this admin makes. */
export async function scriptOf(admin: Admin): Promise<Record<string, string>> {
  const { data } = await admin.post("/admin/api-keys", { title: "a script", type: "secret" })
  const { token } = data.api_key as { token: string }
  return { authorization: `Basic ${Buffer.from(`${token}:`).toString("base64")}` }
}

export function everyAdminRoute(store: TestStore): void {
  it("is asked by these tests, later ones, too", () => {
    expect(Object.keys(EVERY_ROUTE).sort()).toEqual(routesInFolder())
  })

  it("answers a script with a secret API key as it answers an admin, but for settings and what is done with payouts", async () => {
    const { data } = await store.http.post<{ token: string }>("/auth/user/emailpass", ADMIN)
    const asAdmin = await askEveryRoute(store.http, { authorization: `Bearer ${data.token}` })
    const asScript = await askEveryRoute(store.http, await scriptOf(await logIn(store)))
    const forPeople = { status: 400, code: "not_signed_in" }
    expect(asScript).toEqual({
      ...asAdmin,
      "GET settings": { status: 400, code: "admins_only" },
      "DELETE payouts/[id]": forPeople,
      "POST payouts/[id]/approve": forPeople,
      "POST payouts/[id]/mark": forPeople,
      "POST payouts/[id]/send": forPeople,
    })
    const statuses = Object.values(asAdmin).map(({ status }) => status)
    expect(statuses).not.toContain(401)
    expect(statuses).not.toContain(403)
  })

  it("answers other spellings of its address as the plain one, or that there is nothing, to whoever asks (promise 22)", async () => {
    const { data } = await store.http.post<{ token: string }>("/auth/user/emailpass", ADMIN)
    const admin = { authorization: `Bearer ${data.token}` }
    expect(await answeredOtherwise(store.backendUrl, admin)).toEqual([])
    expect(await answeredOtherwise(store.backendUrl)).toEqual([])
  })
}
