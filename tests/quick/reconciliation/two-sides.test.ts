import { twoSides } from "../../../src/reconciliation/rules/two-sides"
import { aRow } from "../payments/situations"
import { PROBLEM_SAMPLES } from "../../problem-samples"

const NOT_SEEN = { transaction_id: "key_01", status: null, read_amount: null, read_currency: null }
const PAID = {
  transaction_id: "key_01",
  state: "paid",
  status: "Done",
  read_amount: "2000",
  read_currency: "RUB",
  paid_at: new Date(),
  settled_at: new Date(),
} as const
const RECORD = { status: "Done", sums: [{ amount: "12000.5", currency: "RUB" }] }

describe("the two sides of a difference", () => {
  it("are what the service listed, and nothing where the store has no row", () => {
    const [unknown, ...others] = PROBLEM_SAMPLES.payment_not_here
    expect(twoSides(unknown ?? {}, null)).toEqual({
      service: { id: "record_01", ...RECORD },
      shop: null,
    })
    const many = twoSides(others.find(({ found }) => found === "foreign_payments") ?? {}, null)
    expect(many).toMatchObject({ service: { id: null, status: "CONFIRMED" }, shop: null })
    expect(many.service?.sums).toHaveLength(2)
  })

  it("are the latest read and the row, whose sum is the paid one once Medusa has it", () => {
    const asked = [{ amount: "1199.99", currency: "RUB" }]
    const read = [{ amount: "2000", currency: "RUB" }]
    expect(twoSides({}, aRow({ ...PAID, settled_at: null }))).toMatchObject({
      service: { id: "key_01", status: "Done", sums: read },
      shop: { standing: "waiting_for_medusa", sums: asked },
    })
    expect(twoSides({}, aRow(PAID)).shop).toMatchObject({ standing: "settled", sums: read })
    expect(twoSides({}, aRow(NOT_SEEN)).service).toEqual({ id: "key_01", status: null, sums: [] })
  })

  it("tell what the service, or Medusa, does not have any more", () => {
    const [otherStatus, unknown, held, , foreign, gone] = PROBLEM_SAMPLES.payment_not_there
    expect(twoSides(otherStatus ?? {}, aRow(PAID)).service).toMatchObject({ status: "Waiting" })
    expect(twoSides(unknown ?? {}, aRow(PAID)).service).toBeNull()
    expect(twoSides(held ?? {}, aRow(NOT_SEEN)).shop?.sums).toEqual(RECORD.sums)
    expect(twoSides(foreign ?? {}, null)).toEqual({
      service: null,
      shop: { row_id: null, standing: null, sums: RECORD.sums },
    })
    expect(twoSides(gone ?? {}, aRow(PAID)).shop?.standing).toBeNull()
  })
})
