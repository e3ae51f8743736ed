import { setTimeout as sleep } from "node:timers/promises"

import { PATIENCE_MS } from "../patience"
import type { Arrival, StoreInstance } from "./store-instance"

/** Nobody came to a labelled point for this long: those who still run wait for somebody who is held. */
const QUIET_MS = 150

/** Numbers from 0 to below 1, the same ones for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Somebody who settles a payment: a name, and what they do. */
export interface Actor {
  name: string
  instance: StoreInstance
  /** The text that their requests have in their address, see `Arrival.actor`. */
  address: string
  /** Ends when nothing of theirs goes on any more, as far as can be seen from outside. */
  act: () => Promise<unknown>
}

/**
 * Lets everybody begin at once, holds each of them at every labelled point, and lets one go on at a time,
 * in an order that only `random` decides.
 *
 * @returns who was let go on from where, in order
 */
export async function interleave(actors: Actor[], random: () => number): Promise<string[]> {
  const order: string[] = []
  const waiting: (Arrival & { who: string })[] = []
  let lastNews = Date.now()
  const instances = [...new Set(actors.map(({ instance }) => instance))]
  for (const instance of instances) {
    instance.onArrival = (arrival) => {
      const actor = actors.find(
        (candidate) => candidate.instance === instance && arrival.actor.includes(candidate.address)
      )
      waiting.push({ ...arrival, who: actor?.name ?? arrival.actor })
      lastNews = Date.now()
    }
  }
  await Promise.all(instances.map((instance) => instance.holdArrivals(true)))

  const running = new Set(actors)
  const failures: unknown[] = []
  const acting = actors.map(async (actor) => {
    await actor.act().catch((error: unknown) => failures.push(error))
    running.delete(actor)
    lastNews = Date.now()
  })
  const isHeld = (actor: Actor) => waiting.some(({ who }) => who === actor.name)
  const giveUpAt = Date.now() + PATIENCE_MS
  try {
    // Some go on after they have answered: the end is when all have, and nobody has come for a while.
    while (running.size || waiting.length || Date.now() - lastNews < 2 * QUIET_MS) {
      if (Date.now() > giveUpAt) {
        throw new Error(
          `${[...running].map(({ name }) => name).join(", ")} came to no end: ${order.join(", ")}`
        )
      }
      const everybodyIsHeld = waiting.length > 0 && actors.every(isHeld)
      if (!waiting.length || (!everybodyIsHeld && Date.now() - lastNews < QUIET_MS)) {
        await sleep(10)
        continue
      }
      // The order of arrivals depends on the machine; the choice of the next must not.
      waiting.sort((one, other) => one.who.localeCompare(other.who))
      const [next] = waiting.splice(Math.floor(random() * waiting.length), 1)
      order.push(`${next?.who ?? ""} ${next?.point ?? ""}`)
      next?.release()
      lastNews = Date.now()
    }
  } finally {
    // A store with somebody who is held would never end.
    await Promise.all(instances.map((instance) => instance.holdArrivals(false)))
  }
  await Promise.all(acting)
  if (failures.length) throw failures[0]
  return order
}
