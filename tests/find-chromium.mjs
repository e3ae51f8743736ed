import { findProgram, installDebianPackage } from "./debian-package.mjs"

const names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

/** Path of the browser for the browser tests: CHROMIUM_PATH, else the one on the PATH. */
export function findChromium() {
  return process.env.CHROMIUM_PATH || findProgram(names)
}

/**
 * The browser, installed from Debian's packages when there is none and we are allowed to.
 *
 * @param {(message: string) => void} report
 * @param {AbortSignal} signal stops apt-get
 */
export async function provideChromium(report, signal) {
  const found = findChromium()
  if (found) return found
  const installed = await installDebianPackage("chromium", "the browser tests", report, signal)
  return installed ? findChromium() : undefined
}
