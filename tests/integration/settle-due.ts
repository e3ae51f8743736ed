import { Queue } from "../../src/payments/queue"
import type { TestStore } from "./store"

/** Settles what is due, as another process has it done, and waits for the end. */
export async function settleDue({ module }: TestStore): Promise<void> {
  const queue = new Queue(module)
  queue.takeUpBacklog()
  await queue.idle()
}
