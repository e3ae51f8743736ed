import { readFile, rename, writeFile } from "node:fs/promises"
import type { SimulatedTransaction, Simulator } from "../simulator"

const WRITE_EVERY_MS = 2_000

/** The simulator's transactions of the earlier starts. */
export async function earlierTransactions(file: string): Promise<SimulatedTransaction[]> {
  const text = await readFile(file, "utf8").catch(() => "[]")
  return JSON.parse(text) as SimulatedTransaction[]
}

/**
 * Keeps the simulator's transactions in a file, as the service would keep them: otherwise the next start's comparison would miss each
 * payment. Answers what ends it.
 */
export function keepTransactions(file: string, simulator: Simulator): () => Promise<void> {
  let kept = ""
  let writing = Promise.resolve()
  const write = async () => {
    const now = JSON.stringify(simulator.transactions())
    if (now === kept) return
    kept = now
    await writeFile(`${file}.new`, now)
    await rename(`${file}.new`, file)
  }
  const inTurn = () => (writing = writing.catch(() => undefined).then(write))
  const timer = setInterval(() => void inTurn().catch(() => undefined), WRITE_EVERY_MS).unref()
  return async () => {
    clearInterval(timer)
    await inTurn()
  }
}
