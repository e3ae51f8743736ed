import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

import { transformSync } from "@swc/core"

type Exports = Record<string, unknown>
type AnyFunction = (...given: unknown[]) => unknown

const SRC = join(__dirname, "../../src")
const replacements = new Map<string, Exports>()

/**
 * For `jest.mock`: a module of src, by its path without the ending, whose functions are those of a replacement
 * while it has one. It is required here, so that it is the one that the replacements are told.
 */
export function replaceable(path: string): Exports {
  replacements.set(path, {})
  const actual = jest.requireActual<Exports>(join(SRC, path))
  return Object.fromEntries(
    Object.entries(actual).map(([name, value]) => [
      name,
      typeof value === "function"
        ? (...given: unknown[]) =>
            ((replacements.get(path)?.[name] ?? value) as AnyFunction)(...given)
        : value,
    ])
  )
}

/** From now on, until `restore`, these functions are called instead of the module's own. */
export function replace(path: string, functions: Exports): void {
  if (!replacements.has(path)) throw new Error(`This test has not mocked ${path}`)
  replacements.set(path, functions)
}

export function restore(): void {
  for (const path of replacements.keys()) replacements.set(path, {})
}

/** The functions of a module of src with changes in its source: each `from`, which must occur once, is its `to`. */
export function mutant(path: string, changes: [from: string, to: string][]): Exports {
  const filename = join(SRC, `${path}.ts`)
  const source = changes.reduce(
    (text, [from, to]) => {
      const [before, after, ...more] = text.split(from)
      if (before === undefined || after === undefined || more.length) {
        throw new Error(`${path} does not contain once: ${from}`)
      }
      return before + to + after
    },
    readFileSync(filename, "utf8")
  )
  const { code } = transformSync(source, {
    filename,
    configFile: false,
    swcrc: false,
    module: { type: "commonjs" },
    jsc: { target: "es2022", parser: { syntax: "typescript" } },
  })
  const exports: Exports = {}
  // oxlint-disable-next-line typescript/no-implied-eval -- a mutant is text
  const run = new Function("require", "exports", code) as (
    require: (id: string) => unknown,
    exports: Exports
  ) => void
  run(
    (id) =>
      // oxlint-disable-next-line typescript/no-require-imports -- it shares its modules with all others
      require(id.startsWith(".") ? join(dirname(filename), id) : id) as unknown,
    exports
  )
  return exports
}
