import { type JournalEntry, wholeJournal } from "../../../src/settlement/journal"
import { aTransactionRow } from "../a-row"

const at = (minute: number) => new Date(Date.UTC(2026, 2, 1, 12, minute))

const changed = (minute: number, kind: "handled" | "accepted"): JournalEntry =>
  kind === "handled"
    ? { at: at(minute), kind, facts: { handled: true }, by: null }
    : { at: at(minute), kind, facts: { amount: "2000" }, by: null }

const acted = (minute: number, facts: object): JournalEntry => ({
  ...{ at: at(minute), kind: "acted", by: "user_01" },
  facts: { action: "handle", problem: "amount_less", ...facts },
})

/** The entries about what people did, by kind and minute. */
const told = (written: JournalEntry[], handledAt: Date | null = null) =>
  wholeJournal(aTransactionRow({ handled_at: handledAt }), written)
    .filter(({ kind }) => ["acted", "accepted", "handled"].includes(kind))
    .map(({ kind, at: moment }) => `${kind} ${moment.getUTCMinutes()}`)

describe("the journal of a transaction", () => {
  it("tells what an admin did once, with the admin", () => {
    expect(told([changed(1, "handled"), acted(2, { handled: true })], at(1))).toEqual(["acted 2"])
    expect(told([changed(1, "accepted"), acted(2, { accepted: "2000" })])).toEqual(["acted 2"])
  })

  it("keeps what an admin's entry does not tell", () => {
    // A payout took the money out of automatic handling, before an admin recorded the refund.
    expect(told([changed(1, "handled"), acted(2, {})])).toEqual(["handled 1", "acted 2"])
    expect(
      told([changed(1, "accepted"), changed(2, "handled"), acted(3, { handled: true })])
    ).toEqual(["accepted 1", "acted 3"])
  })

  it("of a row from before there were admins' entries tells of it without them", () => {
    expect(told([], at(0))).toEqual(["handled 0"])
  })
})
