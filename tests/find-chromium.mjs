import { findProgram, installDebianPackage } from "./debian-package.mjs"

/** Chromium without windows: it takes a third of the processor time of one that only hides them. */
const HEADLESS = "chromium-headless-shell"
const OTHERS = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"]

/** Path of the browser for the browser tests: CHROMIUM_PATH, else the one on the PATH. */
export function findChromium() {
  return process.env.CHROMIUM_PATH || findProgram([HEADLESS, ...OTHERS])
}

/**
 * The browser. The headless one is installed from Debian's packages when it is missing and we are allowed to; where they
 * do not have it, any other will do.
 *
 * @param {(message: string) => void} report
 * @param {AbortSignal} signal stops apt-get
 */
export async function provideChromium(report, signal) {
  const install = (name) => installDebianPackage(name, "the browser tests", report, signal)
  if (!process.env.CHROMIUM_PATH && !findProgram([HEADLESS])) await install(HEADLESS)
  if (!findChromium()) await install("chromium")
  return findChromium()
}
