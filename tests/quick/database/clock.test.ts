import { DatabaseClock } from "../../../src/database/clock"

const AT_DATABASE = Date.parse("2026-03-01T12:00:00.000Z")

/** A machine whose counter the test moves, and a database that answers when it is told to. */
function setUp({ answersAtOnce = true } = {}) {
  let counter = 1_000
  let atDatabase = AT_DATABASE
  const waiting: { answer: (rows: unknown) => void; fail: (error: Error) => void }[] = []
  let looks = 0
  jest.spyOn(performance, "now").mockImplementation(() => counter)
  const clock = new DatabaseClock(<T>() => {
    looks++
    // As the driver hands out a numeric column.
    if (answersAtOnce) return Promise.resolve([{ ms: String(atDatabase) }] as T)
    return new Promise<T>((resolve, reject) => {
      waiting.push({ answer: (rows) => resolve(rows as T), fail: reject })
    })
  })
  return {
    clock,
    looks: () => looks,
    waiting,
    pass: (ms: number) => {
      counter += ms
      atDatabase += ms
    },
    setDatabase: (ms: number) => {
      atDatabase = ms
    },
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

afterEach(() => {
  jest.restoreAllMocks()
})

describe("the database's clock (promise 7)", () => {
  it.each([
    ["an hour slow", -3_600_000],
    ["an hour fast", 3_600_000],
    ["ten years fast", 315_000_000_000],
  ])("is told on a machine that is %s", async (_, off) => {
    jest.spyOn(Date, "now").mockImplementation(() => AT_DATABASE + off)
    const { clock } = setUp()
    await clock.look()
    expect(clock.now()).toEqual(new Date(AT_DATABASE))
  })

  it("goes on evenly while somebody sets the machine's clock", async () => {
    const now = jest.spyOn(Date, "now").mockReturnValue(AT_DATABASE)
    const { clock, pass } = setUp()
    await clock.look()
    const told: number[] = []
    for (const jump of [0, 86_400_000, -86_400_000, 1e12]) {
      now.mockReturnValue(AT_DATABASE + jump)
      pass(1_000)
      told.push(clock.now().getTime() - AT_DATABASE)
    }
    expect(told).toEqual([1_000, 2_000, 3_000, 4_000])
  })

  it("counts on from the last answer when a look fails, and tries again", async () => {
    const { clock, looks, waiting, pass } = setUp({ answersAtOnce: false })
    const first = clock.look()
    waiting[0]?.answer([{ ms: AT_DATABASE }])
    await first
    pass(120_000)
    expect(clock.now()).toEqual(new Date(AT_DATABASE + 120_000))
    waiting[1]?.fail(new Error("connection lost"))
    await settled()
    expect(clock.now()).toEqual(new Date(AT_DATABASE + 120_000))
    expect(looks()).toBe(2)
    pass(2_001)
    expect(clock.now()).toEqual(new Date(AT_DATABASE + 122_001))
    expect(looks()).toBe(3)
    waiting[2]?.answer([{ ms: AT_DATABASE + 122_500 }])
    await settled()
    expect(clock.now()).toEqual(new Date(AT_DATABASE + 122_500))
  })
})
