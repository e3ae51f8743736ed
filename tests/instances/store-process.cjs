// One instance of this repository's store as a process of its own, see stores.ts. CommonJS without types,
// because it is what makes Node understand TypeScript, as Medusa's command line does it.
require("ts-node").register({})
require("tsconfig-paths").register({})
const { AsyncLocalStorage } = require("node:async_hooks")
const http = require("node:http")
const path = require("node:path")

const root = path.resolve(__dirname, "../..")

/** The test asks; all but the first two questions need a store that has started. */
const answers = {
  stopAt: (stop) => void stops.push(stop),
  holdArrivals: (hold) => {
    holding = hold
    if (!hold) for (const number of [...held.keys()]) release(number)
  },
  seed: async (admin) => {
    const { seedAdministrator, seedShop } = require(path.join(root, "demo/seed.ts"))
    const shop = await seedShop(container())
    await seedAdministrator(container(), admin)
    return shop
  },
  graph: (query) => container().resolve("query").graph(query),
  complete: (cartId) => {
    const { completeCartWorkflow } = require("@medusajs/medusa/core-flows")
    const input = { id: cartId }
    return actors.run(`complete ${cartId}`, () => completeCartWorkflow(container()).run({ input }))
  },
  rowOfSession: (id) => container().resolve("payment_service").findBySession(id),
  watch: () => {
    const payments = (file) => require(path.join(root, "src/payments", file))
    const { queueOf } = payments("queue.ts")
    const { reportMissed } = payments("start-due-work.ts")
    const { finishCompletions } = payments("complete-cart.ts")
    const { settlePortsOf } = payments("ports.ts")
    return actors.run("watch", async () => {
      const queue = queueOf(container().resolve("payment_service"))
      queue.takeUpBacklog()
      await queue.idle()
      await reportMissed(settlePortsOf(container()))
      await finishCompletions(container())
    })
  },
}

const container = () => require("@medusajs/framework").container

// A busy machine takes its time.
require(path.join(root, "src/payments/queue.ts")).Queue.longestWaitMs = 90_000

/** Names the caller that comes to a labelled point: the address of the request, or the name that the test gave. */
const actors = new AsyncLocalStorage()
/** At which point whose first arrival ends this process, or waits for that. */
const stops = process.env.KILL_AT ? [{ point: process.env.KILL_AT, actor: "", kill: true }] : []
/** Whether whoever arrives at a labelled point waits there until the test lets them go on. */
let holding = false
let arrivals = 0
const held = new Map()

const reached = async (point) => {
  const actor = actors.getStore() ?? ""
  const index = stops.findIndex((stop) => stop.point === point && actor.includes(stop.actor))
  const [stop] = index < 0 ? [] : stops.splice(index, 1)
  // Nothing after this line runs, as if the machine had lost its power.
  if (stop?.kill) process.kill(process.pid, "SIGKILL")
  if (!stop && !holding) return
  const number = ++arrivals
  await new Promise((letGo) => {
    held.set(number, letGo)
    process.send({ arrived: { point, number, actor } })
  })
}

// See src/database/labelled-points.ts
globalThis[Symbol.for("medusa-payment-sbp-crypto.labelled-points")] = reached

/** And some of core's own. */
const before = (prototype, method, step) => {
  const original = prototype[method]
  prototype[method] = async function (...args) {
    await step.apply(this, args)
    return await original.apply(this, args)
  }
}

/** The order is made and belongs to no cart yet, and then it does. */
const { Link } = require("@medusajs/framework/modules-sdk")
const create = Link.prototype.create
Link.prototype.create = async function (links, ...rest) {
  if (![links].flat().some(({ order, cart }) => order && cart)) {
    return await create.call(this, links, ...rest)
  }
  await reached("core:order made")
  const created = await create.call(this, links, ...rest)
  await reached("core:order linked")
  return created
}

/** We have answered that it is paid, and the order does not know its money yet. */
const orders = require("@medusajs/medusa/order").default.service.prototype
before(orders, "addOrderTransactions", () => reached("core:payment stored"))

/** The completion has ended, and core is about to tell of the order. */
const bus = require("@medusajs/medusa/event-bus-local").default.service.prototype
const tell = (events) => {
  for (const { name, data, metadata } of events) {
    if (name === "order.placed" && !metadata?.eventGroupId) process.send({ told: data.id })
  }
}
before(bus, "emit", (events) => tell([events].flat()))
before(bus, "releaseGroupedEvents", async function (group) {
  const events = (this.groupedEventsMap_.get(group) ?? []).map(({ name, data }) => ({ name, data }))
  if (events.some(({ name }) => name === "order.placed")) await reached("core:not told yet")
  tell(events)
})

function release(number) {
  held.get(number)?.()
  held.delete(number)
}

const emit = http.Server.prototype.emit
http.Server.prototype.emit = function (event, ...args) {
  if (event !== "request") return emit.call(this, event, ...args)
  return actors.run(args[0].url, () => emit.call(this, event, ...args))
}

process.on("message", async (message) => {
  if (message.release !== undefined) return release(message.release)
  const { id, ask, args } = message
  try {
    const answer = await answers[ask](...args)
    // As over HTTP: Medusa's amounts become numbers.
    process.send({ id, answer: JSON.parse(JSON.stringify(answer ?? null)) })
  } catch (error) {
    process.send({ id, error: String(error?.message ?? error) })
  }
})
// The test is gone, however it ended.
process.on("disconnect", () => process.kill(process.pid, "SIGKILL"))

void require("@medusajs/medusa/commands/start").default({
  directory: root,
  host: "localhost",
  port: Number(process.env.PORT),
})
