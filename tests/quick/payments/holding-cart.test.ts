import type { MedusaContainer } from "@medusajs/framework/types"

import { LockTimeoutError, requireLock, withCartLock } from "../../../src/payments/target-lock"

const SECOND = 1_000
const MINUTE = 60 * SECOND

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

/** A locking module with one lock, which ends by itself, and what the plugin logs. */
function store() {
  let lock: { ownerId: string; until: number } | null = null
  const warnings: string[] = []
  const locking = {
    acquire: jest.fn((key: string, { ownerId, expire }: { ownerId: string; expire: number }) => {
      if (lock && lock.until > Date.now() && lock.ownerId !== ownerId) {
        return Promise.reject(new Error(`Failed to acquire lock for key "${key}"`))
      }
      lock = { ownerId, until: Date.now() + expire * SECOND }
      return Promise.resolve()
    }),
    release: jest.fn((_: string, { ownerId }: { ownerId: string }) => {
      if (lock?.ownerId === ownerId) lock = null
      return Promise.resolve(true)
    }),
  }
  const module = {
    freeEndedLock: () => Promise.resolve(false),
    logger: { warn: (line: string) => void warnings.push(line) },
  }
  const container = {
    resolve: (name: string) => (name === "locking" ? locking : module),
  } as unknown as MedusaContainer
  return { container, locking, warnings, isFree: () => !lock || lock.until <= Date.now() }
}

/** Work that goes on until it is told to end. */
function work() {
  let end = (): void => undefined
  const done = new Promise<void>((resolve) => (end = resolve))
  return { run: () => done, end }
}

it("is held while the work goes on, and free when it has ended", async () => {
  const { container, isFree, locking } = store()
  const { run, end } = work()
  const held = withCartLock(container, "cart_1", run)
  for (let passed = 0; passed < 3 * MINUTE; passed += SECOND) {
    await jest.advanceTimersByTimeAsync(SECOND)
    expect(isFree()).toBe(false)
  }
  end()
  await held
  expect(isFree()).toBe(true)
  const before = locking.acquire.mock.calls.length
  await jest.advanceTimersByTimeAsync(MINUTE)
  expect(locking.acquire).toHaveBeenCalledTimes(before)
})

it("is free half a minute after its process died (promise 28)", async () => {
  const { container, isFree } = store()
  void withCartLock(container, "cart_1", work().run)
  await jest.advanceTimersByTimeAsync(25 * SECOND)
  const died = Date.now()
  jest.clearAllTimers()
  jest.setSystemTime(died + 30 * SECOND)
  expect(isFree()).toBe(true)
})

it.each([
  ["could not be renewed", "Redis is away", true],
  ["expired while its process stood still", "its process stood still", false],
])("is required before each change: one that %s ends the work", async (_, why, isAway) => {
  const { container, locking, warnings } = store()
  const { run, end } = work()
  const changes: string[] = []
  const change = (what: string) => {
    requireLock()
    changes.push(what)
  }
  const held = withCartLock(container, "cart_1", async () => {
    change("first")
    await run()
    change("second")
  })
  const ended = expect(held).rejects.toEqual(new LockTimeoutError(`The lock was lost: ${why}`))
  await jest.advanceTimersByTimeAsync(SECOND)
  if (isAway) {
    locking.acquire.mockRejectedValue(new Error("Redis is away"))
    await jest.advanceTimersByTimeAsync(30 * SECOND)
    expect(warnings).toHaveLength(2)
  } else {
    jest.setSystemTime(Date.now() + 30 * SECOND)
  }
  end()
  await ended
  expect(changes).toEqual(["first"])
})

it("is free some minutes after its work began to hang", async () => {
  const { container, isFree } = store()
  void withCartLock(container, "cart_1", work().run)
  await jest.advanceTimersByTimeAsync(4 * MINUTE)
  expect(isFree()).toBe(true)
})
