import type { TransactionRow } from "../../../src/modules/payment-service"

/** A row with every field filled, so that one which leaks is seen. */
export function aTransactionRow(patch: Partial<TransactionRow> = {}): TransactionRow {
  const at = new Date("2026-03-01T12:00:00.000Z")
  const row = {
    id: "pstx_01",
    account: "canary-account",
    base_url: "https://canary-base.test",
    merchant_id: "canary-merchant",
    method: "sbp",
    provider_id: "pp_sbp_canary-provider",
    session_id: "payses_01",
    return_session_id: "payses_00",
    payment_collection_id: "canary-collection",
    cart_id: "canary-cart",
    order_id: "order_01",
    customer_id: "canary-customer",
    amount: "1199.99",
    medusa_amount: "1199.988",
    currency: "RUB",
    transaction_id: "6f1c2f0a-8a52-4a0e-9f5b-2b6b1b7d9c01",
    redirect: "https://pay.test/1",
    qr: "https://qr.test/1",
    usdt_rate: "92.5",
    expires_at: new Date("2026-03-01T12:15:00.000Z"),
    state: "pending",
    exception: null,
    status: "canary-status",
    read_at: at,
    poll_claimed_at: at,
    paid_at: null,
    detached_at: null,
    settled_at: null,
    apply_attempts: 0,
    apply_after: null,
    created_at: at,
    updated_at: at,
    deleted_at: null,
    ...patch,
  }
  return row as TransactionRow
}
