// Types, lint and format: `npm run check`, and the first part of `npm test`.
import { spawn } from "node:child_process"
import { createRequire } from "node:module"
import { resolve } from "node:path"
import { fileURLToPath } from "node:url"
import { linkAdmin } from "../admin/link.mjs"
import { installPackages, projectRoot } from "./install-packages.mjs"

/** Each is one test in the final count. */
const checks = {
  // The nearest tsconfig.json that includes a file tells its types.
  "types and lint": { tool: "oxlint/bin/oxlint", args: ["--config", "oxlint.config.mjs", "."] },
  format: { tool: "prettier/bin/prettier.cjs", args: ["--check", "--log-level", "warn", "."] },
}

/** @returns {Promise<{ passed: string[], failed: string[] }>} the names of the checks */
export async function runChecks() {
  const passed = []
  const failed = []
  const check = async ([name, { tool, args }]) => {
    const began = Date.now()
    const { code, output } = await run(binary(tool), args)
    const seconds = `${((Date.now() - began) / 1000).toFixed(1)} s`
    if (code === 0) {
      passed.push(name)
      console.log(`✓ ${name} (${seconds})`)
    } else {
      failed.push(name)
      console.log(`✗ ${name} (${seconds})\n${output.trimEnd()}\n`)
    }
  }
  await Promise.all(Object.entries(checks).map(check))
  return { passed, failed }
}

/** The program of a package, past the "exports" that hide it from require. */
export function binary(path) {
  const require = createRequire(resolve(projectRoot, "package.json"))
  const [packageName] = path.split("/")
  const folder = require.resolve.paths(packageName)?.[0] ?? ""
  return resolve(folder, path)
}

const children = new Set()

/** Ends the checks that are running; for a Ctrl-C. */
export function stopChecks() {
  for (const child of children) child.kill()
}

function run(program, args) {
  return new Promise((done) => {
    let output = ""
    const child = spawn(process.execPath, [program, ...args], {
      cwd: projectRoot,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, FORCE_COLOR: process.stdout.isTTY ? "1" : "0" },
    })
    children.add(child)
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => (output += text))
    }
    child.once("close", (code) => {
      children.delete(child)
      done({ code, output })
    })
  })
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  await installPackages(console.error)
  linkAdmin()
  const { failed } = await runChecks()
  process.exitCode = failed.length > 0 ? 1 : 0
}
