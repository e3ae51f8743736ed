import { execFile } from "node:child_process"
import { cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import path from "node:path"
import { promisify } from "node:util"

import { onceInARun } from "../once-in-a-run"
import { packedPackage, PLUGIN, SIMULATOR } from "./tarball"

const run = promisify(execFile)
const root = path.resolve(__dirname, "../..")
const manifest = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8")) as {
  devDependencies: Record<string, string>
}

const readme = readFileSync(path.join(root, "README.md"), "utf8")
/** The README's lines for a package that was made from a clone: to copy it, to install it, and to build the store. */
const [, COPY = "", INSTALL = "", BUILD = ""] =
  /^(mkdir .*)\n(npm install .*)\n(npx medusa build .*)$/m.exec(readme) ?? []

/**
 * A store that has nothing of this repository: the packed package is installed into it, and configured with the
 * README's own lines. Made once in a test run.
 *
 * @returns its folder, which is deleted with the run
 */
export async function installedStore(): Promise<string> {
  return await onceInARun("second-store", async (folder) => {
    writeStore(folder)
    await npmInstall(folder)
    cpSync(path.join(folder, LOCK), path.join(folder, LOCK_BEFORE))
    const packed = path.dirname(await packedPackage(PLUGIN))
    await run("sh", ["-c", COPY.replaceAll("<store>", folder)], { cwd: packed })
    await run("sh", ["-c", INSTALL], { cwd: folder, env: NPM })
    return folder
  })
}

/**
 * That store, built and copied elsewhere as Medusa's documents say, and installed there by an npm that has never downloaded
 * anything.
 *
 * @returns the folder, which is deleted with the run
 */
export async function deployedStore(environment: NodeJS.ProcessEnv): Promise<string> {
  const store = await installedStore()
  return await onceInARun("deployed-store", async (folder) => {
    await run("sh", ["-c", BUILD], { cwd: store, env: environment })
    cpSync(path.join(store, ".medusa/server"), folder, { recursive: true })
    const emptyCache = path.join(folder, ".npm")
    await npmInstall(folder, "--omit=dev", "--ignore-scripts", "--cache", emptyCache)
    return folder
  })
}

/** The simulator's command, installed from its package into a folder that has nothing else. Made once in a test run. */
export async function installedSimulator(): Promise<string> {
  const folder = await onceInARun("simulator", async (empty) => {
    writeFileSync(path.join(empty, "package.json"), JSON.stringify({ private: true }))
    await npmInstall(empty, await packedPackage(SIMULATOR))
    return empty
  })
  return path.join(folder, "node_modules/.bin", SIMULATOR)
}

const LOCK = "package-lock.json"
const LOCK_BEFORE = "package-lock.before.json"

/** The registry, a proxy and its certificates may be said in the environment. */
const NPM = {
  ...process.env,
  NODE_ENV: "development",
  npm_config_audit: "false",
  npm_config_fund: "false",
  npm_config_loglevel: "silent",
  npm_config_prefer_offline: "true",
}

async function npmInstall(folder: string, ...words: string[]): Promise<void> {
  await run("npm", ["install", ...words], { cwd: folder, env: NPM })
}

/** The folders that our package has added to those of Medusa, and the bytes that they take on the disk. */
export function addedTo(store: string): { folders: string[]; bytes: number } {
  const lockedIn = (file: string) => {
    const lock = JSON.parse(readFileSync(path.join(store, file), "utf8")) as { packages: object }
    return Object.keys(lock.packages)
  }
  const before = new Set(lockedIn(LOCK_BEFORE))
  const folders = lockedIn(LOCK).filter((folder) => !before.has(folder))
  // A package within another one has a line of its own in the lock.
  const outermost = folders.filter(
    (folder) => !folders.some((other) => folder.startsWith(`${other}/`))
  )
  const bytes = outermost
    .flatMap((folder) => [folder, ...filesIn(path.join(store, folder))])
    .reduce((sum, file) => sum + statSync(path.resolve(store, file)).blocks * 512, 0)
  return { folders, bytes }
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" }).map((file) => path.join(folder, file))

/**
 * The dashboard of that store, built for production once in a test run.
 *
 * @returns the folder with its index.html
 */
export async function builtDashboard(): Promise<string> {
  const store = await installedStore()
  return await onceInARun("dashboard", async () => {
    await medusaIn(store, ["build", "--admin-only"], { NODE_ENV: "production" })
    return path.join(store, ".medusa/admin")
  })
}

/** Runs a command of Medusa's in the store, with no environment but this; answers what it printed. */
export async function medusaIn(
  store: string,
  words: string[],
  environment: NodeJS.ProcessEnv
): Promise<string> {
  const { PATH, HOME, TMPDIR } = process.env
  const { stdout } = await run(process.execPath, [medusaCli(store), ...words], {
    cwd: store,
    env: {
      PATH,
      HOME,
      TMPDIR,
      MEDUSA_DISABLE_TELEMETRY: "true",
      ...environment,
    },
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

export function medusaCli(store: string): string {
  return path.join(store, "node_modules/@medusajs/cli/cli.js")
}

function writeStore(folder: string): void {
  const version = (name: string) => manifest.devDependencies[name]
  writeFileSync(
    path.join(folder, "package.json"),
    JSON.stringify({
      name: "second-store",
      private: true,
      dependencies: {
        "@medusajs/admin-sdk": version("@medusajs/admin-sdk"),
        "@medusajs/cli": version("@medusajs/cli"),
        "@medusajs/framework": version("@medusajs/framework"),
        "@medusajs/medusa": version("@medusajs/medusa"),
        "@swc/core": version("@swc/core"),
        "ts-node": version("ts-node"),
        typescript: version("typescript"),
      },
    })
  )
  writeFileSync(
    path.join(folder, "tsconfig.json"),
    JSON.stringify({
      compilerOptions: {
        target: "ES2022",
        module: "Node16",
        moduleResolution: "Node16",
        esModuleInterop: true,
        skipLibCheck: true,
        outDir: ".medusa/server",
      },
      "ts-node": { swc: true },
    })
  )
  const [, lines] = /```ts\n([^]*?defineConfig[^]*?)```/.exec(readme) ?? []
  if (!lines) throw new Error("The README no longer shows a medusa-config.ts")
  const project = `projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    http: { storeCors: "*", adminCors: "*", authCors: "*", jwtSecret: "test", cookieSecret: "test" },
  },`
  writeFileSync(
    path.join(folder, "medusa-config.ts"),
    `import { defineConfig } from "@medusajs/framework/utils"\n\n${lines
      .replace(/\/\/ ….*/, project)
      .replace("admin: {", 'admin: { disable: process.env.WITHOUT_DASHBOARD === "true",')}`
  )
  mkdirSync(path.join(folder, "shop"))
  for (const file of ["seed.ts", "products.ts"]) {
    cpSync(path.join(root, "demo", file), path.join(folder, "shop", file))
  }
}
