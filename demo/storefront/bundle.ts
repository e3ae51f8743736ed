import { build } from "esbuild"
import path from "node:path"

interface Bundle {
  js: Uint8Array
  css: Uint8Array
}

/** Bundles the browser application in memory: nothing is written to disk, so the demo leaves no traces. */
export async function bundleApp(): Promise<Bundle> {
  const result = await build({
    entryPoints: [path.join(__dirname, "app", "main.tsx")],
    outfile: "app.js",
    bundle: true,
    write: false,
    minify: true,
    format: "esm",
    platform: "browser",
    target: "es2022",
    jsx: "automatic",
    charset: "utf8",
    legalComments: "none",
    define: { "process.env.NODE_ENV": '"production"' },
    logLevel: "silent",
  })
  return { js: output(result.outputFiles, ".js"), css: output(result.outputFiles, ".css") }
}

function output(files: { path: string; contents: Uint8Array }[], extension: string): Uint8Array {
  const file = files.find((candidate) => candidate.path.endsWith(extension))
  if (!file) {
    throw new Error(`The storefront's bundle has no ${extension} file`)
  }
  return file.contents
}
