// The last step of `npm run build`. `medusa plugin:build` can end with success and have compiled nothing
// (with a TypeScript it does not know, for one), so what package.json promises is looked for.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { gzipSync } from "node:zlib"
import { build } from "esbuild"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
const problems = []

const files = (folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
        .map((path) => path.replaceAll("\\", "/"))
    : []

const sources = files("src").filter(
  (path) => /\.tsx?$/.test(path) && !path.startsWith("src/admin/")
)
const built = new Set(files(".medusa/server/src"))
const need = (path, why) => {
  if (!built.has(path)) problems.push(`${path} is missing (${why})`)
}

for (const source of sources) {
  const path = `.medusa/server/${source.replace(/\.tsx?$/, "")}`
  need(`${path}.js`, source)
}
for (const path of built) {
  if (path.endsWith(".map")) problems.push(`${path} is a map to sources that are not there`)
  else if (
    path.endsWith(".js") &&
    readFileSync(join(root, path), "utf8").includes("//# sourceMappingURL")
  ) {
    problems.push(`${path} names a map that is not there`)
  }
}

for (const [name, condition] of Object.entries(manifest.exports)) {
  for (const target of typeof condition === "string" ? [condition] : Object.values(condition)) {
    if (target === "./package.json") continue
    const types =
      target.endsWith(".js") && name !== "./admin" ? [target.replace(/\.js$/, ".d.ts")] : []
    for (const path of [target, ...types].map((file) => file.slice(2))) {
      const [before, after] = path.split("*")
      if (after === undefined) need(path, `exports "${name}"`)
      else if (![...built].some((file) => file.startsWith(before) && file.endsWith(after))) {
        problems.push(`nothing matches ${path} (exports "${name}")`)
      }
    }
  }
}

const simulator = JSON.parse(readFileSync(join(root, "simulator/package.json"), "utf8"))
const builtSimulator = new Set(files("simulator/dist"))
for (const [name, program] of Object.entries(simulator.bin)) {
  const path = `simulator/${program}`
  if (!builtSimulator.has(path)) problems.push(`${path} is missing (bin "${name}")`)
  else if (!readFileSync(join(root, path), "utf8").startsWith("#!")) {
    problems.push(`${path} does not start with #!/usr/bin/env node (bin "${name}")`)
  }
}

// The dashboard's half is bundled from the generated link; without the link it is a bundle of nothing.
const admin = join(root, ".medusa/server/src/admin/index.js")
const MOST_ADMIN_KB = 150
if (existsSync(admin)) {
  const code = readFileSync(admin)
  if (!code.includes("paymentService")) problems.push("the dashboard extension is empty")
  const offered = { ...manifest.dependencies, ...manifest.peerDependencies }
  for (const [, name] of code
    .toString()
    .matchAll(/^import [^"]* from "((?:@[^/"]+\/)?[^/"]+)[^"]*"/gm)) {
    if (!(name in offered))
      problems.push(`the dashboard's pages import ${name}, which no store has`)
  }
  const kilobytes = Math.ceil(gzipSync(code).length / 1000)
  console.log(`The dashboard's pages are ${kilobytes} kB of JavaScript, gzipped.`)
  if (kilobytes > MOST_ADMIN_KB) {
    problems.push(`the dashboard's pages are ${kilobytes} kB gzipped, more than ${MOST_ADMIN_KB}`)
  }
}

const builtStorefront = new Set(files("storefront/dist"))
const components = files("storefront").filter(
  (path) => /\.tsx?$/.test(path) && !path.startsWith("storefront/dist/")
)
for (const source of components) {
  const path = source.replace(/^storefront/, "storefront/dist").replace(/\.tsx?$/, "")
  for (const file of [`${path}.js`, `${path}.d.ts`]) {
    if (!builtStorefront.has(file)) problems.push(`${file} is missing (${source})`)
  }
  // Next takes a file without it for a server's, where no hook runs.
  const isForBrowsers = readFileSync(join(root, source), "utf8").startsWith('"use client"')
  if (isForBrowsers && builtStorefront.has(`${path}.js`)) {
    const code = readFileSync(join(root, `${path}.js`), "utf8")
    if (!code.startsWith('"use client"')) problems.push(`${path}.js lacks its "use client"`)
  }
}

/** The bytes that our components, QR code included, add to the pages of a shop that has React already. */
const MOST_STOREFRONT_KB = 18
if (builtStorefront.has("storefront/dist/index.js")) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ["storefront/dist/index.js"],
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2022",
    external: ["react", "react/jsx-runtime"],
    outfile: "storefront.js",
    write: false,
    metafile: true,
    logLevel: "error",
  })
  const kilobytes = gzipSync(outputFiles[0].contents).length / 1000
  console.log(`The storefront's components are ${kilobytes.toFixed(1)} kB, gzipped, without React.`)
  if (kilobytes > MOST_STOREFRONT_KB) {
    problems.push(
      `the storefront's components are ${kilobytes.toFixed(1)} kB gzipped, more than ${MOST_STOREFRONT_KB}`
    )
  }
  const foreign = Object.keys(metafile.inputs).filter(
    (path) => !path.startsWith("storefront/dist/") && !/node_modules\/uqr\//.test(path)
  )
  if (foreign.length > 0) {
    problems.push(`the storefront's components reach ${foreign.join(", ")}`)
  }
}

if (problems.length === 0) {
  const require = createRequire(join(root, "package.json"))
  for (const entry of [
    `${manifest.name}/workflows`,
    `${manifest.name}/modules/payment-service`,
    `${manifest.name}/providers/payment-service`,
    `${manifest.name}-storefront`,
  ]) {
    try {
      // By its public name, as a store would.
      await import(pathToFileURL(require.resolve(entry)).href)
    } catch (error) {
      problems.push(`${entry} cannot be loaded: ${error}`)
    }
  }
}

if (problems.length > 0) {
  console.error(`The build is not what package.json says:\n  ${problems.join("\n  ")}`)
  process.exit(1)
}
// Loading the package's parts may leave timers of Medusa behind.
process.exit(0)
