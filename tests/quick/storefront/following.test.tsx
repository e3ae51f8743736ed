import { renderHook } from "@testing-library/react"

import { usePaymentStatus } from "../../../storefront/index.js"
import { aStatus, beforeEachVisit, NOW, pass, ScriptedStore, SESSION, setHidden } from "./shop"

beforeEachVisit()

let store: ScriptedStore
beforeEach(() => {
  store = new ScriptedStore()
})

function follow(sessionId: string | null = SESSION) {
  return renderHook(({ id }: { id: string | null }) => usePaymentStatus(id, store), {
    initialProps: { id: sessionId },
  })
}

describe("a payment that is followed (promise 23)", () => {
  it("is asked for at once and every two seconds while it is pending", async () => {
    store.says({})
    const { result } = follow()
    expect(result.current.status).toBeNull()
    await pass(0)
    expect(result.current).toMatchObject({ status: { state: "pending" }, trouble: false })
    expect(store.last).toMatchObject({
      path: `/store/payment-service/sessions/${SESSION}`,
      cache: "no-store",
    })
    await pass(1_990)
    expect(store.questions).toHaveLength(1)
    await pass(10)
    expect(store.questions).toHaveLength(2)
    await pass(20_000)
    expect(store.questions).toHaveLength(12)
  })

  it("is not asked for without an id, and its id cannot lead elsewhere", async () => {
    const { rerender } = follow(null)
    await pass(10_000)
    expect(store.questions).toHaveLength(0)
    rerender({ id: "../../admin?x=" })
    expect(store.last.path).toBe("/store/payment-service/sessions/..%2F..%2Fadmin%3Fx%3D")
  })

  it.each(["canceled", "expired", "problem"] as const)(
    "is still looked at slowly when it is %s",
    async (state) => {
      store.says({ state })
      follow()
      await pass(29_000)
      expect(store.questions).toHaveLength(3)
      store.says({ state: "paid", order_id: "order_01" })
      await pass(60_000)
      expect(store.questions).toHaveLength(4)
    }
  )

  it("takes long when it is paid for half a minute and has no order", async () => {
    store.says({ state: "paid" })
    const { result } = follow()
    await pass(29_000)
    expect(result.current.placingTakesLong).toBe(false)
    await pass(4_000)
    expect(result.current.placingTakesLong).toBe(true)
    store.says({ state: "paid", order_id: "order_01" })
    await pass(4_000)
    expect(result.current.placingTakesLong).toBe(false)
  })
})

describe("a store that does not answer", () => {
  it("is asked more and more rarely, and said to be in trouble from the second time", async () => {
    store.says({})
    const { result } = follow()
    await pass(0)
    store.refuses(
      `GET /store/payment-service/sessions/${SESSION}`,
      new TypeError("Failed to fetch")
    )
    await pass(2_000)
    expect(result.current).toMatchObject({ trouble: false, status: { state: "pending" } })
    const at: number[] = []
    let known = store.questions.length
    for (let second = 0; second < 90; second++) {
      await pass(1_000)
      if (store.questions.length > known) at.push(second + 1)
      known = store.questions.length
    }
    expect(at).toEqual([4, 12, 28, 48, 68, 88])
    expect(result.current).toMatchObject({ trouble: true, status: { state: "pending" } })

    store.says({})
    await pass(20_000)
    expect(result.current.trouble).toBe(false)
    const before = store.questions.length
    await pass(2_000)
    expect(store.questions).toHaveLength(before + 1)
  })

  it("is given up after ten seconds each time", async () => {
    follow()
    await pass(9_999)
    expect(store.last.signal?.aborted).toBe(false)
    await pass(1)
    expect(store.last.signal?.aborted).toBe(true)
  })
})

describe("a page that nobody looks at", () => {
  it("does not ask, and asks at once when the shopper comes back", async () => {
    store.says({})
    follow()
    await pass(0)
    await setHidden(true)
    await pass(60_000)
    expect(store.questions).toHaveLength(1)
    await setHidden(false)
    expect(store.questions).toHaveLength(2)
    // The browser tells of the focus, too.
    window.dispatchEvent(new Event("focus"))
    await pass(2_000)
    expect(store.questions.length).toBeLessThanOrEqual(4)
  })
})

describe("answers", () => {
  it("that come out of order do not bring back an older state", async () => {
    const { result } = follow()
    const [first] = store.questions
    await pass(1_000)
    await setHidden(true)
    await setHidden(false)
    expect(store.questions).toHaveLength(2)
    expect(first?.signal?.aborted).toBe(true)
    await store.last.answer({ session: aStatus({ state: "paid", order_id: "order_01" }) })
    await first?.answer({ session: aStatus() })
    expect(result.current.status).toMatchObject({ state: "paid" })
    await pass(60_000)
    expect(store.questions).toHaveLength(2)
  })

  it("after the page has gone change nothing and are followed by no question", async () => {
    const errors = jest.spyOn(console, "error")
    const { unmount } = follow()
    unmount()
    expect(store.last.signal?.aborted).toBe(true)
    await store.last.answer({ session: aStatus() })
    await pass(60_000)
    expect(store.questions).toHaveLength(1)
    expect(errors).not.toHaveBeenCalled()
  })

  it("do not begin anew because a shop writes its reader where it uses it", async () => {
    store.says({})
    const { rerender } = renderHook(() => usePaymentStatus(SESSION, { client: store.client }))
    await pass(0)
    rerender()
    rerender()
    await pass(100)
    expect(store.questions).toHaveLength(1)
  })
})

it("goes by the store's clock, and by its quickest answer", async () => {
  const { result } = follow()
  await pass(4_000)
  const serverTime = (ms: number) => new Date(NOW + ms).toISOString()
  await store.last.answer({ session: aStatus({ server_time: serverTime(62_000) }) })
  expect(result.current.serverNow() - Date.now()).toBe(60_000)

  store.says({ server_time: serverTime(6_000 + 61_000) })
  await pass(2_000)
  expect(result.current.serverNow() - Date.now()).toBe(61_000)

  store.answers = {}
  await pass(2_000)
  await pass(3_000)
  await store.last.answer({ session: aStatus({ server_time: serverTime(0) }) })
  expect(result.current.serverNow() - Date.now()).toBe(61_000)
})
