import { closeAll, created, eventually, receiver, running } from "./running-simulator"

afterEach(closeAll)

describe("callbacks", () => {
  it("tell every change, and pay resolves after the answer", async () => {
    const hook = await receiver(204)
    const simulator = await running({ callbackUrl: hook.url })
    const id = await created(simulator)
    expect(hook.bodies).toEqual([])
    await simulator.pay(id)
    expect(hook.json()).toEqual([
      {
        transactionId: id,
        merchantId: simulator.merchantId,
        status: "CONFIRMED",
        amount: 1199.99,
        currency: "RUB",
        payload: "ref_1",
        paymentMethod: 2,
      },
    ])
    expect(simulator.callbacks()).toMatchObject([
      { url: hook.url, transactionId: id, status: 204, error: null, body: hook.bodies[0] },
    ])
    await simulator.reverse(id, { callback: false })
    expect(hook.bodies).toHaveLength(1)
  })

  it("tell an expiry without anybody asking", async () => {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url, expiresInSeconds: 0.05 })
    await created(simulator)
    await eventually(() => hook.bodies.length > 0)
    expect(hook.json()).toMatchObject([{ status: "EXPIRED" }])
  })

  it("have any shape that is asked for", async () => {
    const hook = await receiver()
    const callbackBody = ({ id, status }: { id: string; status: string }) => ({ odd: [id, status] })
    const simulator = await running({ callbackUrl: hook.url, callbackBody })
    const id = await created(simulator)
    await simulator.pay(id)
    expect(hook.json()).toEqual([{ odd: [id, "CONFIRMED"] }])
  })

  it("are not sent without an address, which can be set later", async () => {
    const hook = await receiver()
    const simulator = await running()
    const id = await created(simulator)
    await simulator.pay(id)
    expect(await simulator.sendCallback(id)).toEqual([])
    simulator.setCallbackUrl(hook.url)
    expect(await simulator.sendCallback(id)).toEqual([200])
    simulator.setCallbackUrl(null)
    expect(await simulator.sendCallback(id)).toEqual([])
    expect(hook.bodies).toHaveLength(1)
  })

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

  it("held for reordering go out when reordering ends", async () => {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    simulator.setCallbackMode({ reorder: true })
    await simulator.pay(await created(simulator))
    simulator.setCallbackMode({ reorder: false })
    await eventually(() => hook.bodies.length === 1)
  })

  it("can be sent again by hand, with any body, any number of times", async () => {
    const hook = await receiver()
    const simulator = await running({ callbackUrl: hook.url })
    simulator.setCallbackMode({ drop: true })
    const id = await created(simulator)
    expect(await simulator.sendCallback(id, { times: 2, delayMs: 20 })).toEqual([200, 200])
    await simulator.sendCallback(id, { body: { anything: 1 } })
    await simulator.sendRawCallback("not json")
    expect(hook.bodies.slice(2)).toEqual(['{"anything":1}', "not json"])
  })

  it("remember refusals and silence, and repeat only when told to", async () => {
    const hook = await receiver(500)
    const simulator = await running({ callbackUrl: hook.url })
    const id = await created(simulator)
    expect(await simulator.sendCallback(id)).toEqual([500])
    expect(hook.bodies).toHaveLength(1)
    simulator.configure({ callbackRetries: 1 })
    expect(await simulator.sendCallback(id)).toEqual([500])
    expect(hook.bodies).toHaveLength(3)

    simulator.configure({ callbackRetries: 0 })
    const closed = await running()
    await closed.close()
    simulator.setCallbackUrl(closed.url)
    expect(await simulator.sendCallback(id)).toEqual([0])
    expect(simulator.callbacks().at(-1)).toMatchObject({
      status: null,
      error: expect.stringContaining("ECONNREFUSED"),
    })
    simulator.clearCallbacks()
    expect(simulator.callbacks()).toEqual([])
  })
})
