import { createHash } from "node:crypto"

import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import type { RecordedRequest, SimulatedPayout } from "../../../simulator"
import type { TestStore } from "../store"
import {
  NUMBER,
  type Payout,
  payoutsWith,
  type PayoutUser,
  send,
  signedIn,
  typedDraft,
  type WaitingShortly,
} from "./payouts-of"

const OTHER_NUMBER = "4000001234567881"
const SPACED = NUMBER.replace(/(\d{4})(?=\d)/g, "$1 ")

interface Given {
  anna: PayoutUser
  ledger: () => SimulatedPayout[]
  requests: () => RecordedRequest[]
  waitingShortly: WaitingShortly
  signingSecret: string
}

/** Card numbers that are typed live as long as one request. */
export function describeTypedNumbers(store: TestStore, given: () => Given): void {
  it("is sent to a typed number, and again only to the same one", async () => {
    const { anna, ledger } = given()
    const payout = await typedDraft(anna)
    expect(payout).toMatchObject({
      recipient: "typed_number",
      card_masked: null,
      needs_card_number: true,
    })
    expect((await send(anna, payout)).data.code).toBe("card_number_needed")
    for (const wrong of ["1234", "40000012345678990", "4000 0012 3456 789x"]) {
      expect((await send(anna, payout, { card_number: wrong })).data.code).toBe(
        "card_number_invalid"
      )
    }
    store.simulator.fault({ on: "payout", kind: "drop_after" })
    const sent = await send(anna, payout, { card_number: SPACED })
    expect(sent.data.payout).toMatchObject({ state: "unknown", card_masked: "**** 7899" })
    const other = await send(anna, payout, { again: true, card_number: OTHER_NUMBER })
    expect(other.data.code).toBe("other_card_number")
    expect((await send(anna, payout, { again: true })).data.code).toBe("card_number_needed")
    const again = await send(anna, payout, { again: true, card_number: NUMBER })
    expect(again.data.payout.state).toBe("created")
    expect(ledger()).toMatchObject([{ cardMasked: "************7899" }])
  })

  it("is not sent again when the signing secret was reset meanwhile", async () => {
    const { anna, ledger, signingSecret } = given()
    const payout = await typedDraft(anna)
    store.simulator.fault({ on: "payout", kind: "drop_before" })
    await send(anna, payout, { card_number: NUMBER })
    await store.restartModule({ signingSecret: "a-newer-signing-secret" })
    store.simulator.configure({ signingSecret: "a-newer-signing-secret" })
    const { data } = await anna.get(`payouts/${payout.id}`)
    expect(data.payout).toMatchObject({ actions: ["mark"], needs_card_number: false })
    const again = await send(anna, payout, { again: true, card_number: NUMBER })
    expect(again.data.code).toBe("secret_was_reset")
    await store.restartModule({ signingSecret })
    const note = "It is not in the list"
    const marked = await anna.post(`payouts/${payout.id}/mark`, { sent: false, note })
    expect(marked.data.payout.state).toBe("marked_not_sent")
    expect(ledger()).toEqual([])
  })

  describe("with keys of the environment", () => {
    const NAME = "PAYMENT_SERVICE_ENCRYPTION_KEY"
    const [OLD, NEW] = ["an-older-key-of-thirty-two-letters", "a-newer-key-of-thirty-two-letters"]
    const restartWith = async (keys: string, options: object = {}) => {
      process.env[NAME] = keys
      await store.restartModule({ ...options })
    }
    afterEach(() => {
      process.env[NAME] = ""
    })

    it("recognises a number by the key that its digest names, also when the signing secret was reset", async () => {
      const { anna, ledger } = given()
      const unknown = async () => {
        const payout = await typedDraft(anna)
        store.simulator.fault({ on: "payout", kind: "drop_before" })
        await send(anna, payout, { card_number: NUMBER })
        return payout
      }
      const again = async (payout: Payout, card_number = NUMBER) =>
        (await send(anna, payout, { again: true, card_number })).data
      const bySecret = await unknown()
      await restartWith(OLD)
      const byOld = await unknown()
      await restartWith(`${NEW},${OLD}`)
      expect((await again(bySecret, OTHER_NUMBER)).code).toBe("other_card_number")
      expect((await again(bySecret)).payout.state).toBe("created")
      expect((await again(byOld, OTHER_NUMBER)).code).toBe("other_card_number")
      const reset = { signingSecret: "a-newer-signing-secret" }
      await restartWith(`${NEW},${OLD}`, reset)
      store.simulator.configure(reset)
      expect((await again(byOld)).payout.state).toBe("created")
      expect(ledger()).toHaveLength(2)
    })
  })

  /** Maker, approver and sender type the number, and write it where it does not belong. */
  const allType = async ({ anna }: Given) => {
    // Of refused payouts, the second request was not made.
    store.simulator.clearFaults()
    const boris = await signedIn(store, "Boris")
    await store.restartModule(payoutsWith({ approval: true }))
    const body = { amount: 1_500, card_number: SPACED }
    for (const wrong of [
      { ...body, card_id: NUMBER },
      { ...body, card_number: `${NUMBER}${NUMBER}` },
      { ...body, card_number: [NUMBER] },
      { ...body, [NUMBER]: true },
    ]) {
      expect((await anna.post("payouts", wrong)).status).toBe(400)
    }
    const typed = await typedDraft(anna, { card_number: SPACED })
    const approve = (more: object) => boris.post(`payouts/${typed.id}/approve`, more)
    for (const wrong of [{ revision: NUMBER }, { [NUMBER]: true }, { card_number: OTHER_NUMBER }]) {
      expect((await approve(wrong)).status).toBe(400)
    }
    expect((await approve({ card_number: SPACED })).status).toBe(200)
    const sent = await send(anna, typed, { card_number: SPACED })
    expect(sent.data.payout.state).toBe("created")
    await anna.post("payouts/stop", { stopped: NUMBER })
    await store.restartModule(payoutsWith())
  }

  it("leaves its number nowhere, whatever goes wrong (promise 17)", async () => {
    const { anna, waitingShortly } = given()
    const printed: string[] = []
    const spies = [process.stdout, process.stderr].map((stream) => {
      const write = stream.write.bind(stream) as (...parts: unknown[]) => boolean
      return jest.spyOn(stream, "write").mockImplementation((...parts: unknown[]) => {
        printed.push(String(parts[0]))
        return write(...parts)
      })
    })
    const answered: string[] = []
    const watched = store.http.interceptors.response.use((answer) => {
      answered.push(JSON.stringify([answer.status, answer.data, answer.headers]))
      return answer
    })
    const faults = [
      ...[400, 429].map((status) => ({ kind: "body", status }) as const),
      ...(["drop_after", "truncate", "hang"] as const).map((kind) => ({ kind })),
      // A reply that can be read, with the number in it.
      ...[NUMBER, SPACED, `PAID TO ${SPACED.replaceAll(" ", "-")}`].map((status, index) => ({
        ...({ kind: "body", status: 200 } as const),
        body: {
          withdrawalRecordId: `0b9a6c1e-3c5d-4d0b-8c1a-00000000000${index}`,
          status,
          cardMasked: NUMBER,
          amountUsdtDebited: 1,
        },
      })),
    ]
    for (const fault of faults) {
      const payout = await typedDraft(anna, { note: `For the card ${SPACED}` })
      const body = { error: `Card ${NUMBER} (${SPACED}) is bad`, status: NUMBER }
      await waitingShortly(fault, async () => {
        store.simulator.fault({ on: "payout", body, ...fault })
        await send(anna, payout, { card_number: SPACED })
        store.simulator.fault({ on: "payout", body, ...fault })
        await send(anna, payout, { again: true, card_number: NUMBER })
      })
      const mark = { sent: false, note: `Nothing for ${NUMBER}` }
      await anna.post(`payouts/${payout.id}/mark`, mark)
    }
    const payout = await typedDraft(anna)
    // Requests that are wrong, with the number where it does not belong.
    for (const body of [
      `{"card_number": "${NUMBER}"`,
      NUMBER,
      JSON.stringify({ [NUMBER]: 1 }),
      JSON.stringify({ card_number: Number(NUMBER) }),
      JSON.stringify({ card_number: `${NUMBER}${"0".repeat(80)}` }),
      JSON.stringify({ card_number: NUMBER, again: NUMBER }),
      JSON.stringify({ card_number: NUMBER, revision: 99 }),
    ]) {
      // As bytes, because the client would mend what is no JSON.
      const bytes = Buffer.from(body)
      const json = { "content-type": "application/json" }
      for (const path of [`payouts/${payout.id}/send`, `payouts/${payout.id}`, "payouts"]) {
        expect((await anna.post(path, bytes, json)).status).toBe(400)
      }
    }
    for (const field of ["card_id", "amount", "other"]) {
      expect((await anna.post(`payouts/${payout.id}`, { [field]: NUMBER })).status).toBe(400)
    }
    const edited = await anna.post(`payouts/${payout.id}`, { note: `Now to ${SPACED}` })
    expect(edited.data.payout.note).toBe("Now to **** 7899")
    await allType(given())
    for (const field of ["card_id", "amount", "order_id", "problem_id", "account"]) {
      await anna.post("payouts", { amount: 1_500, [field]: NUMBER })
    }
    await anna.post(`payouts/${NUMBER}/send`, { card_number: NUMBER, revision: 1 })
    await anna.get(`payouts?q=${encodeURIComponent(SPACED)}`)
    await anna.get(`payouts?q=${NUMBER}&limit=x`)
    await anna.get(`payouts?q=${SPACED.replaceAll(" ", "%C2%A0")}`)
    await anna.get(`cards?account=${NUMBER}`)
    // Unexpected failures: the database is gone, or a part of ours throws.
    const change = jest.spyOn(store.module.payouts, "alone")
    change.mockRejectedValueOnce(new Error(`Failed for ${NUMBER}`))
    const failed = await send(anna, payout, { card_number: NUMBER })
    expect(failed.status).toBe(500)
    change.mockRestore()
    await send(anna, payout, { card_number: NUMBER })

    const digest = createHash("sha256").update(NUMBER).digest("hex")
    const canaries = [
      NUMBER,
      SPACED,
      encodeURIComponent(SPACED),
      SPACED.replaceAll(" ", "+"),
      SPACED.replaceAll(" ", "-"),
      SPACED.replaceAll(" ", "%C2%A0"),
      digest,
    ]
    const places: Record<string, string[]> = {
      ...(await dump(store)),
      events: store.events.map((event) => JSON.stringify(event)),
      // Core says at this level, which is never printed, at which path it looks. A search is no part of that.
      log: store.log.filter(
        (line) => !line.startsWith("debug: ") || !line.endsWith(`payouts/${NUMBER}/send`)
      ),
      printed,
      answered: answered.slice(),
    }
    for (const spy of spies) spy.mockRestore()
    store.http.interceptors.response.eject(watched)
    expect(places.payment_service_payout?.join()).toContain("7899")
    expect(places.payment_service_payout_entry?.join()).toContain("**** 7899")
    expect(places.log?.length).toBeGreaterThan(20)
    const found = Object.entries(places).flatMap(([place, texts]) =>
      texts.flatMap((text) =>
        canaries.flatMap((canary) => {
          const at = text.indexOf(canary)
          return at < 0 ? [] : [`${place}: ${text.slice(Math.max(0, at - 120), at + 60)}`]
        })
      )
    )
    expect(found).toEqual([])
  })
}

/** Every row of every table as text, core's included. */
export async function dump(store: TestStore): Promise<Record<string, string[]>> {
  const sql = store.container.resolve<{
    raw(statement: string): Promise<{ rows: Record<string, string>[] }>
  }>(ContainerRegistrationKeys.PG_CONNECTION)
  const { rows } = await sql.raw(
    "select table_name as name from information_schema.tables where table_schema = 'public'"
  )
  const found: Record<string, string[]> = {}
  for (const { name = "" } of rows) {
    const texts = await sql.raw(`select row_to_json(t)::text as text from "${name}" t`)
    found[name] = texts.rows.map(({ text = "" }) => text)
  }
  return found
}
