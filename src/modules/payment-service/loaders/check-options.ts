import type { LoaderOptions } from "@medusajs/framework/types"

import { resolveOptions } from "../options"

/** Stops the start of the store with an error that names a wrong option, before a shopper meets it. */
export default function checkOptions({ options }: LoaderOptions): Promise<void> {
  resolveOptions(options)
  return Promise.resolve()
}
