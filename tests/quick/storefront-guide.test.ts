import { existsSync, readFileSync } from "node:fs"
import path from "node:path"

import ts from "typescript"

/**
 * The guide's code is real: what belongs to a file of Medusa's starter stands word for word in the shop of
 * tests/storefront, which is built and sold in; the rest is compiled here, with that of the README.
 */

const root = path.resolve(__dirname, "../..")
const shop = path.join(root, "tests/storefront/shop")

interface Snippet {
  /** In backticks at the end of its heading; null under others. */
  file: string | null
  language: string
  code: string
}

function snippetsOf(guide: string): Snippet[] {
  const snippets: Snippet[] = []
  let file: string | null = null
  let open: Snippet | null = null
  for (const line of readFileSync(path.join(root, "docs", guide), "utf8").split("\n")) {
    const [, language] = /^```(\w*)/.exec(line) ?? []
    if (open && language !== undefined) {
      snippets.push(open)
      open = null
    } else if (open) {
      open.code += `${line}\n`
    } else if (language !== undefined) {
      open = { file, language, code: "" }
    } else if (/^#+ /.test(line)) {
      file = /: `(.+)`$/.exec(line)?.[1] ?? null
    }
  }
  return snippets
}

const snippets = snippetsOf("storefront.md")
const ofFiles = snippets.filter((snippet) => snippet.file !== null)
const byThemselves = [...snippets, ...snippetsOf("../README.md")].filter(
  ({ file, language, code }) =>
    // The store's configuration is tried in a store (tests/package).
    file === null && /^tsx?$/.test(language) && !code.includes("defineConfig(")
)

it("has the same code in both languages (promise 23)", () => {
  expect(snippetsOf("storefront.ru.md")).toEqual(snippets)
})

it("has something of every kind", () => {
  expect(new Set(ofFiles.map(({ language }) => language))).toEqual(new Set(["diff", "tsx", "css"]))
  expect(byThemselves.length).toBeGreaterThan(3)
})

it.each(ofFiles.map((snippet, number) => [snippet.file ?? "", number + 1, snippet] as const))(
  "shows %s as it stands in the shop (snippet %d)",
  (file, _, { language, code }) => {
    const address = path.join(shop, file)
    expect({ file, isThere: existsSync(address) }).toEqual({ file, isThere: true })
    const inShop = readFileSync(address, "utf8")
    if (language === "diff") expect(oneLine(inShop)).toContain(oneLine(after(code)))
    else expect(inShop).toBe(code)
  }
)

it("names only parts of the panels in its stylesheet", () => {
  const parts = readFileSync(path.join(root, "storefront/parts.ts"), "utf8")
  const [{ code } = { code: "" }] = ofFiles.filter(({ language }) => language === "css")
  for (const [, part] of code.matchAll(/data-part="([\w-]+)"/g)) {
    expect({ part, isThere: parts.includes(`"${part}"`) }).toEqual({ part, isThere: true })
  }
})

it("takes fewer than thirty lines to pay (promise 23)", () => {
  const [, , , next] = [...new Set(ofFiles.map(({ file }) => file))]
  const lines = ofFiles
    .slice(
      0,
      ofFiles.findIndex(({ file }) => file === next)
    )
    .flatMap(({ language, code }) =>
      code.split("\n").filter((line) => language !== "diff" || line.startsWith("+"))
    )
    .filter((line) => !/^\+?\s*(\/\*\*.*)?$/.test(line))
  expect(lines.length).toBeLessThan(30)
  const guide = readFileSync(path.join(root, "docs/storefront.md"), "utf8")
  expect(guide.replace(/\s+/g, " ")).toContain(
    `Paying takes ${lines.length} lines (the first three files)`
  )
})

it("compiles", () => {
  const files = new Map(
    byThemselves.map(({ language, code }, number) => [
      path.join(__dirname, `snippet-${number + 1}.${language}`),
      code,
    ])
  )
  // One that does not compile is heard, and it alone.
  files.set(path.join(__dirname, "wrong.ts"), 'const wrong: number = ""\n')
  expect(complaintsAbout(files)).toEqual([expect.stringContaining("wrong.ts")])
})

/** A snippet as it is when it was followed. */
function after(diff: string): string {
  return diff
    .split("\n")
    .filter((line) => !line.startsWith("-"))
    .map((line) => line.slice(1))
    .join("\n")
}

/** Indented as deep as it may be: the shop's files are shorter than the starter's. */
function oneLine(code: string): string {
  return code.split(/\s+/).filter(Boolean).join(" ")
}

function complaintsAbout(files: Map<string, string>): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    jsx: ts.JsxEmit.ReactJSX,
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    paths: { "medusa-payment-sbp-crypto-storefront": [path.join(root, "storefront/index.ts")] },
  }
  const host = ts.createCompilerHost(options)
  const program = ts.createProgram([...files.keys()], options, {
    ...host,
    fileExists: (name) => files.has(name) || host.fileExists(name),
    readFile: (name) => files.get(name) ?? host.readFile(name),
    getSourceFile: (name, ...rest) => {
      const code = files.get(name)
      return code === undefined
        ? host.getSourceFile(name, ...rest)
        : ts.createSourceFile(name, code, ts.ScriptTarget.ES2022, true)
    },
  })
  return ts
    .getPreEmitDiagnostics(program)
    .map(({ messageText, file }) =>
      [
        path.basename(file?.fileName ?? ""),
        ts.flattenDiagnosticMessageText(messageText, "\n"),
      ].join(": ")
    )
}
