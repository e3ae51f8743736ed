import { BoundedList } from "../../../simulator/bounded-list"
import { ExpiryQueue } from "../../../simulator/expiry-queue"
import { settingsFrom } from "../../../simulator/options"
import { Transactions } from "../../../simulator/transactions"
import { closeAll, created, eventually, receiver, running } from "./running-simulator"

afterEach(closeAll)

describe("a bounded list", () => {
  it("keeps the newest in number and in bytes, and the newest of all whatever its size", () => {
    const list = new BoundedList<number>(3, 10)
    for (const value of [1, 2, 3, 4, 5]) list.add(value, 1)
    expect(list.all()).toEqual([3, 4, 5])
    expect(list.latest(2)).toEqual([5, 4])
    list.add(6, 9)
    expect(list.all()).toEqual([5, 6])
    expect(list.latest(9)).toEqual([6, 5])
    list.add(7, 1_000)
    expect(list.all()).toEqual([7])
    list.add(8, 1)
    expect(list.all()).toEqual([8])
    list.clear()
    list.add(9, 10)
    expect([list.all(), list.latest(5)]).toEqual([[9], [9]])
  })

  it("is the end of what was added, for ever", () => {
    const list = new BoundedList<number>(7, 1_000)
    for (let value = 0; value < 1_000; value++) {
      list.add(value, 1)
      const first = Math.max(0, value - 6)
      expect(list.all()).toEqual(Array.from({ length: value - first + 1 }, (_, at) => first + at))
    }
  })
})

describe("the queue of expiries", () => {
  it("gives each once, when it is due, the earliest first", () => {
    const queue = new ExpiryQueue()
    const times = Array.from({ length: 500 }, (_, index) => (index * 7919) % 500)
    for (const at of times) queue.set(`id_${at}`, at)
    expect(queue.take(-1)).toEqual([])
    const taken = [...queue.take(99), ...queue.take(100), ...queue.take(10_000)]
    expect(taken).toEqual([...times].sort((one, other) => one - other).map((at) => `id_${at}`))
    expect(queue.take(10_000)).toEqual([])
  })

  it("goes by the last time that was set, however often that was", () => {
    const queue = new ExpiryQueue()
    for (const id of ["a", "b"]) queue.set(id, 5)
    for (let at = 10_000; at > 10; at--) queue.set("a", at)
    queue.set("a", 5)
    queue.set("a", 20)
    expect(queue.take(19)).toEqual(["b"])
    expect(queue.take(20)).toEqual(["a"])
  })
})

describe("transactions", () => {
  const few = (capacity: { transactions: number; bytes: number }) =>
    new Transactions(settingsFrom({ publicUrl: "http://localhost" }), () => 0, capacity)

  it("are refused when there is no room, and none is forgotten", () => {
    const transactions = few({ transactions: 2, bytes: 1_000_000 })
    const { id } = transactions.create({ amount: 1 })
    transactions.create({ amount: 2 })
    expect(() => transactions.create({ amount: 3 })).toThrow(
      expect.objectContaining({ status: 507, message: expect.stringContaining("2 transactions") })
    )
    expect(transactions.pay(id, {}).status).toBe("CONFIRMED")
    expect(transactions.latest(9).map(({ amount }) => amount)).toEqual([2, 1])
  })

  it("have room for so many bytes of texts, changed ones included", () => {
    const transactions = few({ transactions: 1_000, bytes: 10_000 })
    const { id } = transactions.create({ amount: 1, description: "x".repeat(4_000) })
    expect(() => transactions.create({ amount: 1, description: "я".repeat(4_000) })).toThrow(
      "10000"
    )
    expect(() => transactions.change(id, { description: "x".repeat(11_000) })).toThrow("10000")
    for (let times = 0; times < 9; times++) transactions.change(id, { payload: "y".repeat(3_000) })
    transactions.change(id, { description: "", payload: "" })
    transactions.create({ amount: 1, description: "я".repeat(4_000) })
    expect(transactions.setStatus(id, "ODD").status).toBe("ODD")
  })

  it("expire at the time that an edit gives them", async () => {
    let now = 0
    const simulator = await running({ now: () => now })
    const [sooner, later] = [await created(simulator), await created(simulator)]
    simulator.edit(sooner, { expiresAt: 1_000 })
    simulator.edit(later, { expiresAt: 5_000_000 })
    now = 1_000
    expect(simulator.transaction(sooner).status).toBe("EXPIRED")
    now = 1_000_000
    expect(simulator.transaction(later).status).toBe("PENDING")
    now = 5_000_000
    expect(simulator.transaction(later).status).toBe("EXPIRED")
  })

  it("that are many cost nothing while none of them is due", () => {
    const transactions = few({ transactions: 200_000, bytes: 256 * 1024 * 1024 })
    for (let made = 0; made < 100_000; made++) transactions.create({ amount: 1 })
    const began = performance.now()
    for (let asked = 0; asked < 100_000; asked++) transactions.expireDue()
    // One look at each of them would be ten thousand million looks: minutes.
    expect(performance.now() - began).toBeLessThan(60_000)
  })
})

describe("callbacks of many payments at once", () => {
  it("are sent a hundred at a time, and all of them", async () => {
    let most = 0
    const simulator = await running()
    const underWay = () =>
      simulator.callbacks().filter(({ status, error }) => status === null && error === null).length
    const hook = await receiver(200, () => (most = Math.max(most, underWay())))
    simulator.setCallbackUrl(hook.url)
    for (let made = 0; made < 250; made++) simulator.addTransaction({ amount: 1 })
    simulator.advance(901_000)
    await eventually(() => simulator.callbacks().length === 250 && underWay() === 0)
    expect(most).toBe(100)
    expect(new Set(simulator.callbacks().map(({ transactionId }) => transactionId)).size).toBe(250)
  })
})
