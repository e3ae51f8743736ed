import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query"

import type {
  PayoutAnswer,
  PayoutsAnswer,
  PayoutSettings,
  PayoutState,
  PayoutWithJournal,
  SavedCard,
} from "./api"
import { useMay } from "./permissions"
import {
  cardKeys,
  overviewKeys,
  payoutKeys,
  payoutSettingsKey,
  problemKeys,
  transactionKeys,
} from "./query-keys"
import { call } from "./refusal"
import { ask } from "./sdk"

/** The interval at which a payout is read while its request may be under way. */
const SENDING_EVERY_MS = 2_000

const payoutsQuery = (query: object) => ({
  queryKey: payoutKeys.list(query),
  queryFn: () => ask<PayoutsAnswer>("payouts", query),
})

export function usePayouts(query: object) {
  return useQuery({ ...payoutsQuery(query), placeholderData: keepPreviousData })
}

/** The latest payouts that pay a payment back. Another payment's payouts are not shown while these are loading. */
export function usePayoutsOfTransaction(rowId: string | null, limit: number) {
  const mayRead = useMay("read", "payment_service_payout")
  const query = { transaction_row_id: rowId ?? "", limit }
  return useQuery({ ...payoutsQuery(query), enabled: mayRead && rowId !== null })
}

export function usePayout(id: string, initialData?: PayoutWithJournal) {
  return useQuery({
    queryKey: payoutKeys.detail(id),
    queryFn: () => ask<PayoutWithJournal>(`payouts/${encodeURIComponent(id)}`),
    // Other admins act on it, too, and its actions move money.
    staleTime: 0,
    refetchInterval: ({ state }) =>
      state.data?.payout.state === "sending" ? SENDING_EVERY_MS : false,
    ...(initialData ? { initialData } : {}),
  })
}

export function usePayoutSettings(isWanted = true) {
  return useQuery({
    queryKey: payoutSettingsKey,
    queryFn: () => ask<PayoutSettings>("payout-settings"),
    enabled: isWanted,
    // An admin who may not see payouts gets that answer at once.
    retry: false,
  })
}

/** The service is asked each time, because a card may have been disabled. */
export function useSavedCards({ account, all }: { account: string; all: boolean }) {
  return useQuery({
    queryKey: cardKeys.list({ account, all }),
    queryFn: () =>
      call<{ cards: SavedCard[] }>("GET", "cards", {
        query: { only_active: String(!all), ...(account ? { account } : {}) },
      }),
    enabled: account !== "",
    staleTime: 0,
    retry: false,
  })
}

/** Reads again everything that a payout's action may have changed, including its order's page. */
export function useReadPayoutsAgain(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all(
      [
        payoutKeys.all,
        payoutSettingsKey,
        problemKeys.all,
        transactionKeys.all,
        overviewKeys.all,
      ].map((queryKey) => queryClient.invalidateQueries({ queryKey }))
    )
  }
}

interface DraftBody {
  card_id: string | null
  amount: number
  note: string | null
}

/** The number of a card that is typed. */
interface Typed {
  card_number?: string
}

/** A payout that is to be made or sent; `last4` are the last digits of a number that is typed now. */
export interface Meant {
  id: string | null
  amount: number
  card_id: string | null
  last4: string | null
}

/** The admin is asked before the same card gets the same amount again within this time. */
const SIMILAR_MS = 10 * 60_000
const NOTHING_WENT: PayoutState[] = ["rejected", "discarded", "marked_not_sent"]

/** Whether somebody has made or sent a payout of the same amount to the same card a moment ago. */
export async function isThereSimilar({ id, amount, card_id, last4 }: Meant): Promise<boolean> {
  if (card_id === null && last4 === null) return false
  const { payouts } = await ask<PayoutsAnswer>("payouts", { q: String(amount), limit: 50 })
  const since = Date.now() - SIMILAR_MS
  return payouts.some((one) => {
    const isSameCard = card_id ? one.card_id === card_id : one.card_masked?.slice(-4) === last4
    const isNew = [one.created_at, one.sent_at].some((at) => at && Date.parse(at) > since)
    const isOther = one.id !== id && one.amount === amount && !NOTHING_WENT.includes(one.state)
    return isOther && isSameCard && isNew
  })
}

const pathOf = (id: string, action = "") => `payouts/${encodeURIComponent(id)}${action}`

// Actions are plain calls: react-query keeps a mutation's input, but a card number must not be kept.
export const makePayout = (
  body: DraftBody & Typed & { account?: string; order_id?: string; problem_id?: string }
) => call<PayoutAnswer>("POST", "payouts", { body })

export const editPayout = (id: string, body: DraftBody & Typed & { revision: number }) =>
  call<PayoutAnswer>("POST", pathOf(id), { body })

export const discardPayout = (id: string) => call<PayoutAnswer>("DELETE", pathOf(id))

export const approvePayout = (id: string, body: Typed & { revision: number }) =>
  call<PayoutAnswer>("POST", pathOf(id, "/approve"), { body })

export const sendPayout = (id: string, body: Typed & { revision: number; again?: true }) =>
  call<PayoutAnswer>("POST", pathOf(id, "/send"), { body })

export const stopPayouts = (stopped: boolean) => call("POST", "payouts/stop", { body: { stopped } })

export const markPayout = (id: string, body: { sent: boolean; note: string; attempts: number }) =>
  call<PayoutAnswer>("POST", pathOf(id, "/mark"), { body })
