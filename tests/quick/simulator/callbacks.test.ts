import { closeAll, created, eventually, receiver, running } from "./running-simulator"

afterEach(closeAll)

describe("callbacks", () => {
  it("can be duplicated, dropped and late", async () => {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    const id = await created(simulator)
    simulator.setCallbackMode({ duplicate: 2 })
    await simulator.pay(id)
    expect(new Set(hook.bodies).size).toBe(1)
    expect(hook.bodies).toHaveLength(3)

    simulator.setCallbackMode({ duplicate: 0, drop: true })
    await simulator.reverse(id)
    expect(hook.bodies).toHaveLength(3)

    simulator.setCallbackMode({ drop: false, delayMs: 120 })
    const told = simulator.decline(id)
    expect(simulator.transaction(id).status).toBe("CANCELED")
    await simulator.setStatus(id, "LATER", { callback: false })
    expect(hook.bodies).toHaveLength(3)
    await told
    expect(hook.json()[3]).toMatchObject({ status: "CANCELED" })
  })

  it("can be reordered: the newer one goes first, a lone one goes after a second", async () => {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    simulator.setCallbackMode({ reorder: true })
    const id = await created(simulator)
    await simulator.decline(id)
    expect(hook.bodies).toHaveLength(0)
    await simulator.pay(id)
    expect(hook.json().map(({ status }) => status)).toEqual(["CONFIRMED", "CANCELED"])
    await simulator.reverse(id)
    expect(hook.bodies).toHaveLength(2)
    await eventually(() => hook.bodies.length === 3)
  })
})
