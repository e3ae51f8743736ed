// Plain Node without dependencies: this runs when there is no node_modules yet.
import { spawn } from "node:child_process"
import { createHash } from "node:crypto"
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const projectRoot = dirname(dirname(fileURLToPath(import.meta.url)))

const stampFile = join(projectRoot, "node_modules", ".installed-for")

const manifestIn = (folder) =>
  JSON.parse(readFileSync(join(projectRoot, folder, "package.json"), "utf8"))

/** The fields that decide the content of node_modules; scripts and metadata do not. */
function fingerprint() {
  const manifest = manifestIn(".")
  const npmrc = readFileSync(join(projectRoot, ".npmrc"), "utf8")
  const relevant = [
    ...[manifest, ...manifest.workspaces.map(manifestIn)].map((each) => [
      each.name,
      each.dependencies,
      each.devDependencies,
      each.peerDependencies,
    ]),
    manifest.overrides,
    manifest.allowScripts,
    npmrc,
    // A folder shared with a container must not keep the other system's native packages.
    `${process.platform}-${process.arch}`,
  ]
  return createHash("sha256").update(JSON.stringify(relevant)).digest("hex")
}

/** A sentence when this Node is too old for the project, else undefined. */
export function unsupportedNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number)
  return major > 20 || (major === 20 && minor >= 19)
    ? undefined
    : `Node 20.19 or newer is needed; this is Node ${process.versions.node}.`
}

/**
 * Runs `npm install` when node_modules is missing or was made for other dependencies. Everything
 * that npm says goes to stderr, because stdout may be read by a program.
 *
 * @param {(message: string) => void} report
 * @param {AbortSignal} [signal] stops npm
 */
export async function installPackages(report, signal) {
  const wanted = fingerprint()
  if (existsSync(stampFile) && readFileSync(stampFile, "utf8") === wanted) return

  report("Installing npm packages (about a minute the first time)")
  // --include=dev, because NODE_ENV=production in the environment would leave Medusa itself out.
  const args = ["install", "--include=dev", "--no-progress"]
  const npm = process.env.npm_execpath?.endsWith(".js") ? process.env.npm_execpath : undefined
  const [command, commandArgs] = npm ? [process.execPath, [npm, ...args]] : ["npm", args]
  const code = await new Promise((resolve, reject) => {
    const child = spawn(command, commandArgs, {
      cwd: projectRoot,
      stdio: ["ignore", process.stderr, process.stderr],
      // npm is a .cmd file on Windows, which only a shell can start.
      shell: !npm && process.platform === "win32",
      signal,
    })
    child.once("error", reject)
    child.once("exit", resolve)
  })
  if (code !== 0) {
    throw new Error(`npm install failed (exit code ${code}); its messages are above.`)
  }
  writeFileSync(stampFile, wanted)
}
