import { execFile } from "node:child_process"
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import path from "node:path"
import { promisify } from "node:util"

import { LONGEST_BUILD_MS } from "../patience"
import { packedPackage, STOREFRONT } from "./tarball"

/**
 * The storefront's package as a shop installs it: beside React 19 and js-sdk, by npm and by pnpm.
 */

const run = promisify(execFile)
const TYPES_OF_REACT = "19.3.0"
const PNPM = "pnpm@10.34.8"

const { devDependencies } = JSON.parse(
  readFileSync(path.resolve(__dirname, "../../package.json"), "utf8")
) as { devDependencies: Record<string, string> }
const versionOf = (name: string) => (devDependencies[name] ?? "").replace(/^npm:.*@/, "")

let tarball: string
const folders: string[] = []
beforeAll(async () => {
  tarball = await packedPackage(STOREFRONT)
}, LONGEST_BUILD_MS)
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
})

describe.each([
  ["npm", ["npm", "install", "--no-audit", "--no-fund", "--prefer-offline", "--silent"]],
  [
    "pnpm",
    [
      ...["npx", "--yes", PNPM, "install", "--prefer-offline", "--ignore-scripts", "--silent"],
      "--no-frozen-lockfile",
    ],
  ],
] as const)("installed into a storefront by %s", (installer, [program, ...words]) => {
  let folder: string
  let before: string[]
  beforeAll(async () => {
    folder = mkdtempSync(path.join(tmpdir(), `storefront-${installer}-`))
    folders.push(folder)
    const install = async (ours: Record<string, string>) => {
      const dependencies = {
        react: versionOf("react-19"),
        "react-dom": versionOf("react-dom-19"),
        "@types/react": TYPES_OF_REACT,
        "@medusajs/js-sdk": versionOf("@medusajs/js-sdk"),
        ...ours,
      }
      writeFileSync(
        path.join(folder, "package.json"),
        JSON.stringify({ name: "shop", private: true, type: "module", dependencies })
      )
      await run(program, words, {
        cwd: folder,
        env: { ...process.env, NODE_ENV: "development", CI: "true" },
      })
    }
    // pnpm's own store would grow with every run otherwise.
    writeFileSync(path.join(folder, ".npmrc"), `store-dir=${path.join(folder, ".store")}\n`)
    await install({})
    before = packagesIn(folder)
    await install({ [STOREFRONT]: `file:${tarball}` })
  })

  it("adds itself and uqr to the shop's packages, and nothing else (promise 23)", () => {
    expect(before).toContain("@medusajs/js-sdk")
    const added = packagesIn(folder).filter((name) => !before.includes(name))
    expect(added.sort()).toEqual([STOREFRONT, "uqr"])
  })

  it("renders on a server, and its functions need no browser", async () => {
    writeFileSync(
      path.join(folder, "render.mjs"),
      `import { createElement } from "react"
       import { renderToString } from "react-dom/server"
       import { methodOf, PaymentPanel } from "${STOREFRONT}"
       const reader = { baseUrl: "http://shop.test", publishableKey: "pk" }
       console.log(methodOf("pp_sbp_main"))
       console.log(renderToString(createElement(PaymentPanel, { sessionId: "payses_01", reader })))`
    )
    const { stdout, stderr } = await run(process.execPath, ["render.mjs"], { cwd: folder })
    expect(stdout).toMatch(/^sbp\n/)
    expect(stdout).toContain("Reading the payment…")
    expect(stderr).toBe("")
  })

  it.each(["bundler", "node16", "node10"])(
    "has its types where moduleResolution is %s",
    async (resolution) => {
      // Medusa's starter resolves modules in the oldest of these ways.
      mkdirSync(path.join(folder, resolution), { recursive: true })
      const write = (file: string, text: string) =>
        writeFileSync(path.join(folder, resolution, file), text)
      write(
        "shop.tsx",
        `import { createReader, PaymentPanel, usePaymentStatus, type PaymentStatus } from "${STOREFRONT}"
       const reader = createReader({ baseUrl: "http://shop.test", publishableKey: "pk" })
       export const panel = <PaymentPanel sessionId="payses_01" reader={reader} onPaid={(orderId: string) => orderId} />
       export const useIt = (): PaymentStatus | null => usePaymentStatus("payses_01", reader).status
       // @ts-expect-error A panel needs somebody to ask.
       export const wrong = <PaymentPanel sessionId="payses_01" />`
      )
      write(
        "sdk.tsx",
        `import Medusa from "@medusajs/js-sdk"
       import { openSession, PaymentLinkPanel } from "${STOREFRONT}"
       const sdk = new Medusa({ baseUrl: "http://shop.test", publishableKey: "pk" })
       export const panel = <PaymentLinkPanel collectionId="pay_col_01" reader={sdk} />
       export const open = async () => openSession((await sdk.store.cart.retrieve("cart_01")).cart)?.id`
      )
      write(
        "tsconfig.json",
        JSON.stringify({
          compilerOptions: {
            target: "es2020",
            lib: ["dom", "dom.iterable", "esnext"],
            module: resolution === "node16" ? "node16" : "esnext",
            moduleResolution: resolution,
            esModuleInterop: true,
            jsx: "react-jsx",
            strict: true,
            skipLibCheck: true,
            noEmit: true,
            types: [],
          },
          // In this way js-sdk's own types cannot be resolved.
          files: resolution === "node16" ? ["shop.tsx"] : ["shop.tsx", "sdk.tsx"],
        })
      )
      const failure = await run(process.execPath, [
        require.resolve("typescript/bin/tsc"),
        "-p",
        path.join(folder, resolution),
      ]).then(
        () => "",
        (error: unknown) => (error as { stdout: string }).stdout
      )
      expect(failure).toBe("")
    }
  )
})

/** The names of all packages in a folder, however deep, and however pnpm arranges them. */
function packagesIn(folder: string): string[] {
  const found = new Set<string>()
  const look = (modules: string) => {
    if (!existsSync(modules)) return
    for (const name of readdirSync(modules)) {
      const inside = path.join(modules, name)
      if (name === ".pnpm") {
        for (const each of readdirSync(inside)) look(path.join(inside, each, "node_modules"))
      } else if (name.startsWith("@")) {
        for (const scoped of readdirSync(inside))
          add(`${name}/${scoped}`, path.join(inside, scoped))
      } else if (!name.startsWith(".")) {
        add(name, inside)
      }
    }
  }
  const seen = new Set<string>()
  const add = (name: string, place: string) => {
    found.add(name)
    if (!seen.has(place)) {
      seen.add(place)
      look(path.join(place, "node_modules"))
    }
  }
  look(path.join(folder, "node_modules"))
  return [...found]
}
