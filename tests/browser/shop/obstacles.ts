import axe from "axe-core"
import type { Page } from "playwright-core"

/** The findings of axe on a page, with the elements. */
export async function obstacles(page: Page): Promise<unknown> {
  // The simulator's policy runs no script of a page's text but by the browser's own means.
  await page.evaluate(axe.source)
  return await page.evaluate(
    "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => [id, ...nodes.map(({ html }) => html)]))"
  )
}
