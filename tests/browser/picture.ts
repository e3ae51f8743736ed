import { mkdirSync } from "node:fs"
import path from "node:path"

import type { Page } from "playwright-core"

const FOLDER = path.resolve(__dirname, "../../docs/images")

/** Saves what a page shows as a picture of the documents: `PICTURES=1 npm run test:one -- tests/browser/shop.test.ts`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: path.join(FOLDER, `${name}.png`), animations: "disabled" })
}
