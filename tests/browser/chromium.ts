import { chromium, type Browser } from "playwright-core"

import { PATIENCE_MS } from "../patience"

const executablePath = process.env.CHROMIUM_PATH

/**
 * `describe` for tests in a real browser. Without one they are skipped, except on CI, where a test that
 * silently does not run is worth nothing.
 */
export const describeInBrowser = executablePath ? describe : describeWithoutBrowser()

function describeWithoutBrowser(): jest.Describe {
  if (/^(1|true)$/i.test(process.env.CI ?? "")) {
    throw new Error("CI=true, and there is no Chromium for the browser tests.")
  }
  return describe.skip
}

/** The Chromium that the test runner found or installed. Close it in `afterAll`. */
export function launchChromium(): Promise<Browser> {
  if (!executablePath) throw new Error("Run browser tests by npm test or npm run test:one.")
  return chromium.launch({
    executablePath,
    timeout: PATIENCE_MS,
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--disable-dev-shm-usage",
      // A page finds the dashboard's code compiled where another one of its window is open.
      "--process-per-site",
    ],
  })
}
