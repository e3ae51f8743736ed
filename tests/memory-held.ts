import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

const ENOUGH = 1_000_000

/**
 * Bytes of objects and buffers that this process holds once its garbage is collected. Dropped buffers are freed in the
 * background after a collection, on a busy machine long after, so it collects until the number falls no more.
 */
export async function memoryHeld(): Promise<number> {
  setFlagsFromString("--expose-gc")
  const collect = runInNewContext("gc") as () => void
  for (let before = Infinity; ;) {
    collect()
    const { heapUsed, external } = process.memoryUsage()
    const held = heapUsed + external
    if (held > before - ENOUGH) return held
    before = held
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
