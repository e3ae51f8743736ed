import { ordersQueryKeys } from "@medusajs/dashboard/hooks"
import {
  keepPreviousData,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"

import type {
  PaymentsAnswer,
  ProblemAction,
  ProblemAnswer,
  ProblemsAnswer,
  RecordAnswer,
  ServiceTransactionsAnswer,
  TransactionAnswer,
  TransactionsAnswer,
} from "./api"
import { useMay } from "./permissions"
import { overviewKeys, problemKeys, recordKeys, transactionKeys } from "./query-keys"
import { post } from "./refusal"
import { ask } from "./sdk"

export function useTransactions(query: object) {
  return useQuery({
    queryKey: transactionKeys.list(query),
    queryFn: () => ask<TransactionsAnswer>("transactions", query),
    placeholderData: keepPreviousData,
  })
}

const transactionQuery = (id: string) => ({
  queryKey: transactionKeys.detail(id),
  queryFn: () => ask<TransactionAnswer>(`transactions/${encodeURIComponent(id)}`),
})

/**
 * An answer of a page's loader is used for this long without another read. An older one is read again whenever it is shown,
 * because it may be from before the payment.
 */
const LOADED_MS = 5_000
/** The interval at which an open payment is read again, because others settle it, too. */
const PAYMENT_EVERY_MS = 30_000

/** A payment that is shown is also read again when its admin comes back to the window. */
const KEPT_FRESH = {
  staleTime: LOADED_MS,
  refetchInterval: PAYMENT_EVERY_MS,
  refetchOnWindowFocus: true,
}

export function useTransaction(id: string, initialData?: TransactionAnswer) {
  return useQuery({
    ...transactionQuery(id),
    ...KEPT_FRESH,
    ...(initialData ? { initialData } : {}),
  })
}

export function useProblems(query: object) {
  return useQuery({
    queryKey: problemKeys.list(query),
    queryFn: () => ask<ProblemsAnswer>("problems", query),
    placeholderData: keepPreviousData,
  })
}

/** Read again each minute, on every page, for users who may see problems. */
export function useOpenProblems() {
  const mayRead = useMay("read")
  const query = { status: "open", limit: 1 }
  return useQuery({
    queryKey: problemKeys.list(query),
    queryFn: () => ask<ProblemsAnswer>("problems", query),
    refetchInterval: 60_000,
    enabled: mayRead,
    retry: false,
  })
}

/** The payments of an order or of a customer. */
export function usePaymentsOf(
  of: { order_id: string } | { customer_id: string },
  isWanted: boolean
) {
  return useQuery({
    queryKey: transactionKeys.of(of),
    queryFn: () => ask<PaymentsAnswer>("payments", of),
    enabled: isWanted,
    ...KEPT_FRESH,
  })
}

export function useProblem(id: string, initialData?: ProblemAnswer) {
  return useQuery({
    queryKey: problemKeys.detail(id),
    queryFn: () => ask<ProblemAnswer>(`problems/${encodeURIComponent(id)}`),
    staleTime: LOADED_MS,
    ...(initialData ? { initialData } : {}),
  })
}

/** An action as a part of an address, of the API and of the dashboard. */
export const segmentOfAction = (action: ProblemAction) => action.replace("_", "-")

/** Acts on a problem, with the sums that were on the screen. */
export function useProblemAction() {
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: ({ id, action, body }: { id: string; action: ProblemAction; body?: object }) =>
      post<ProblemAnswer>(`problems/${encodeURIComponent(id)}/${segmentOfAction(action)}`, body),
    onSettled: readAgain,
  })
}

/** Reads again everything that a settle or an action may have changed, including Medusa's own page of the order. */
function useReadAgain(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all(
      [transactionKeys, problemKeys, overviewKeys, ordersQueryKeys].map(({ all }) =>
        queryClient.invalidateQueries({ queryKey: [...all] })
      )
    )
  }
}

/** Has the service asked about a transaction. */
export function useSettle(id: string) {
  return useActionWith(
    id,
    () => post<TransactionAnswer>(`${addressOf(id)}/settle`),
    transactionKeys.check(id)
  )
}

/** The latest `useSettle` of a transaction, on whichever of our pages it was begun. */
export function useLastSettle(id: string) {
  const settles = useMutationState({
    filters: { mutationKey: transactionKeys.check(id) },
    select: ({ state }) => state,
  })
  return settles.at(-1)
}

/** Gives a transaction whose creation had no reply the service's id, and has the service asked. */
export function useIdentify(id: string) {
  return useActionWith(id, (entered: string) =>
    post<TransactionAnswer>(`${addressOf(id)}/identify`, { transaction_id: entered })
  )
}

const addressOf = (id: string) => `transactions/${encodeURIComponent(id)}`

/** An action that answers with the transaction as it is then. */
function useActionWith<Input = void>(
  id: string,
  mutationFn: (input: Input) => Promise<TransactionAnswer>,
  mutationKey?: string[]
) {
  const queryClient = useQueryClient()
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn,
    ...(mutationKey ? { mutationKey } : {}),
    onSuccess: (answer) => {
      queryClient.setQueryData(transactionKeys.detail(id), answer)
    },
    onSettled: readAgain,
  })
}

/** The last answer of the service to each question, so that a page that comes from another one says so. */
const lastFetches = new Map<string, string>()

export function useServiceTransactions(query: { offset: number }) {
  return useQuery({
    queryKey: recordKeys.list(query),
    queryFn: async () => {
      const { offset: _offset, ...question } = query
      const key = JSON.stringify(question)
      const fetch = lastFetches.get(key)
      const answer = await ask<ServiceTransactionsAnswer>("service-transactions", {
        ...query,
        ...(fetch ? { fetch } : {}),
      })
      lastFetches.set(key, answer.fetch)
      return answer
    },
    placeholderData: keepPreviousData,
    // The service's refusal is told at once.
    retry: false,
  })
}

/** Has the service's list fetched anew, and shows it wherever it is shown. */
export function useFetchAnew(query: object) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () =>
      ask<ServiceTransactionsAnswer>("service-transactions", { ...query, refresh: true }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: [...recordKeys.all, "list"] }),
  })
}

/** The service is asked each time, because its present record is wanted. */
export function useRecord(id: string, isWanted = true) {
  return useQuery({
    queryKey: recordKeys.detail(id),
    queryFn: () => ask<RecordAnswer>(`service-transactions/${encodeURIComponent(id)}`),
    enabled: isWanted,
    staleTime: 0,
    retry: false,
  })
}
