import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"
import path from "node:path"

import { generatedPages } from "../../../docs/generated-pages"
import { FILES, QUERIES } from "../../../src/api/admin/payment-service/validators"
import { pathsOf } from "../../paths-of-routes"

const root = path.resolve(__dirname, "../../..")
const read = (file: string) => readFileSync(path.join(root, file), "utf8")

it("are as short and as plain as they should be, and link to what is there", () => {
  const { stdout, status } = spawnSync(process.execPath, ["docs/check-prose.mjs"], {
    cwd: root,
    encoding: "utf8",
  })
  expect({ complaints: stdout.trim().split("\n").slice(1), status }).toEqual({
    complaints: [],
    status: 0,
  })
})

it.each(Object.entries(generatedPages()))(
  "docs/%s is what npm run docs:generate makes of the code",
  (file, made) => {
    expect(read(`docs/${file}`)).toBe(made)
  }
)

it("the README has the same code in both languages", () => {
  const codeOf = (file: string) =>
    [...read(file).matchAll(/^( *)```[^]*?^\1```/gm)].map(([code]) =>
      code.replace(/(?:\/\/|#) .*$/gm, "")
    )
  expect(codeOf("README.md").length).toBeGreaterThan(4)
  expect(codeOf("README.ru.md")).toEqual(codeOf("README.md"))
})

describe("docs/http-api.md", () => {
  const page = read("docs/http-api.md")
  const api = path.join(root, "src/api")
  const routes = readdirSync(api, { recursive: true, encoding: "utf8" })
    .filter((file) => path.basename(file) === "route.ts")
    .flatMap((file) => {
      const code = readFileSync(path.join(api, file), "utf8")
      const folder = `/${path.dirname(file).split(path.sep).join("/")}`
      const addresses = pathsOf(folder, code).map((address) =>
        address.replace(/^\/admin\/payment-service\//, "").replace(/\[(\w+)\]/g, ":$1")
      )
      return [
        // Also `export { GET as POST }`.
        ...code.matchAll(/export (?:const |async function |\{ \w+ as )(GET|POST|DELETE)\b/g),
      ].flatMap(([, method]) => addresses.map((address) => `${method} ${address}`))
    })

  it("has every route", () => {
    expect(routes.length).toBeGreaterThan(40)
    expect(routes).toContain("POST exports/payouts.csv")
    // The return page, and a check of the callback's address, are told of beside their other method.
    const said = page.replaceAll(
      "`GET` and `POST /payment-service",
      "`GET /payment-service/return/:id` `POST /payment-service"
    )
    const asked = routes.filter((route) => !/^(?:GET|DELETE) \/hooks\//.test(route))
    // The beginning tells of lists' and files' parameters in a body.
    const named = (route: string) =>
      route
        .replace(/^POST search\/.*/, "POST search/<list>")
        .replace(/^POST exports\/.*/, "POST exports/<file>")
    expect(asked.filter((route) => !said.includes(`\`${named(route)}\``))).toEqual([])
  })

  /** The text from a route's name to the next route or heading. */
  const entryOf = (route: string) =>
    page.slice(page.indexOf(`\`GET ${route}\``)).split(/\n(?:#+ |- `)(?!.*`GET [^`]*`, `)/)[0] ?? ""

  // The page says of all lists that they take these two.
  const OF_LISTS = ["limit", "offset"]
  const queries = Object.entries(QUERIES).flatMap(([route, schema]) =>
    route in FILES || !("shape" in schema) ? [] : [[route, Object.keys(schema.shape)] as const]
  )

  it.each(queries)("names every parameter of %s", (route, parameters) => {
    const entry = entryOf(route)
    const names = parameters
      .filter((name) => !OF_LISTS.includes(name))
      .flatMap((name) => (name === "created_at" ? ["created_at[gte]", "created_at[lt]"] : name))
    expect(names.filter((name) => !entry.includes(`\`${name}\``))).toEqual([])
  })
})

describe(".env.template (promise 24)", () => {
  const config = read("medusa-config.ts")
  const named = [...config.matchAll(/\benv\.([A-Z_]+)|\w+\("([A-Z][A-Z_]+)"\)/g)].flatMap(
    ([, direct, read]) => direct ?? read ?? []
  )
  const offered = [...read(".env.template").matchAll(/^#?([A-Z][A-Z_]*)=/gm)].map(
    ([, name]) => name
  )
  /** Not read by the file, but by Node and by the plugin itself. */
  const ELSEWHERE = ["NODE_ENV", "PAYMENT_SERVICE_ENCRYPTION_KEY"]

  it("has each variable of medusa-config.ts, once, and no other one", () => {
    const used = new Set([...named.filter((name) => name !== "NODE_ENV"), ELSEWHERE[1]])
    expect([...offered].sort()).toEqual([...used].sort())
  })
})

describe("the promises", () => {
  const tests = path.join(root, "tests")
  /** The numbers in "promise 8", "promises 5, 8 and 9" and "promises 1 to 3". */
  const namedIn = (text: string) =>
    [...text.matchAll(/promises? (\d+(?:(?:, | and | to )\d+)*)/gi)].flatMap(([, list = ""]) =>
      list.split(/, | and /).flatMap((part) => {
        const [first = 0, last = first] = part.split(" to ").map(Number)
        return Array.from({ length: last - first + 1 }, (_, index) => first + index)
      })
    )
  /** Also groups of tests that another file calls. */
  const files = readdirSync(tests, { recursive: true, encoding: "utf8" })
    .filter((file) => /^(?!storefront\/shop\/)[a-z]+\/.*\.tsx?$/.test(file))
    .map((file) => ({ file, text: read(`tests/${file}`) }))
    .filter(
      ({ file, text }) =>
        /\.test\.tsx?$/.test(file) || /^\s*(?:it|test)(?:\.each\b|\(\s*["`])/m.test(text)
    )
  const [, list = ""] = read("docs/testing.md").split("## Which test proves which promise")
  const entries = list.split(/^(?=\d+\. )/m).slice(1)
  const known = entries.map((entry) => Number.parseInt(entry, 10))

  it("are named by each file of tests, as docs/testing.md numbers them", () => {
    expect(known).toEqual(Array.from({ length: known.length }, (_, index) => index + 1))
    expect(files.length).toBeGreaterThan(120)
    const wrong = files.filter(({ text }) => {
      const named = namedIn(text)
      return named.length === 0 || named.some((promise) => !known.includes(promise))
    })
    expect(wrong.map(({ file }) => file)).toEqual([])
  })

  it.each(entries.map((entry) => [Number.parseInt(entry, 10), entry] as const))(
    "promise %d is proved by the tests that docs/testing.md gives, which name it",
    (promise, entry) => {
      const given = entry.matchAll(
        /`((?:quick|integration|browser|instances|package|storefront)\/[^`]*)`/g
      )
      const proofs = [...given].map(([, file]) => {
        const { text = "" } = files.find((each) => each.file === file) ?? {}
        return { file, isNamed: namedIn(text).includes(promise) }
      })
      expect(proofs).not.toEqual([])
      expect(proofs.filter(({ isNamed }) => !isNamed)).toEqual([])
    }
  )
})
