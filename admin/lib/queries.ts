import { ordersQueryKeys } from "@medusajs/dashboard/hooks"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"

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
import { post } from "./refusal"
import { ask } from "./sdk"

/** Keys in the form of Medusa's own, each kind under a name of ours. */
export const keysOf = (name: string) => ({
  all: [`payment_service_${name}`],
  list: (query: object) => [`payment_service_${name}`, "list", { query }],
  detail: (id: string) => [`payment_service_${name}`, "detail", id],
})
export const transactionKeys = keysOf("transactions")
export const recordKeys = keysOf("service_transactions")
export const problemKeys = keysOf("problems")

export function useTransactions(query: object) {
  return useQuery({
    queryKey: transactionKeys.list(query),
    queryFn: () => ask<TransactionsAnswer>("transactions", query),
    placeholderData: keepPreviousData,
  })
}

export const transactionQuery = (id: string) => ({
  queryKey: transactionKeys.detail(id),
  queryFn: () => ask<TransactionAnswer>(`transactions/${encodeURIComponent(id)}`),
})

/**
 * A page's loader has just asked, so its answer is not asked for twice. An older one is, whenever it is shown: it may be
 * the one before the payment.
 */
const LOADED_MS = 5_000

export function useTransaction(id: string, initialData?: TransactionAnswer) {
  return useQuery({
    ...transactionQuery(id),
    staleTime: LOADED_MS,
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

/** Asked again each minute, on every page of who may see problems. */
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
    queryKey: [...transactionKeys.all, "of", of],
    queryFn: () => ask<PaymentsAnswer>("payments", of),
    enabled: isWanted,
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

/** Does something about a problem, with the sums that were on the screen. */
export function useProblemDeed() {
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: ({ id, action, body }: { id: string; action: ProblemAction; body?: object }) =>
      post<ProblemAnswer>(`problems/${encodeURIComponent(id)}/${action.replace("_", "-")}`, body),
    onSettled: readAgain,
  })
}

/** Reads all again that a settle or a deed may have changed, Medusa's own page of the order among it. */
function useReadAgain(): () => Promise<void> {
  const queryClient = useQueryClient()
  return async () => {
    await Promise.all(
      [transactionKeys.all, problemKeys.all, ordersQueryKeys.all].map((queryKey) =>
        queryClient.invalidateQueries({ queryKey: [...queryKey] })
      )
    )
  }
}

/** Has the service asked. */
export function useSettle(id: string) {
  const queryClient = useQueryClient()
  const readAgain = useReadAgain()
  return useMutation({
    mutationFn: () => post<TransactionAnswer>(`transactions/${encodeURIComponent(id)}/settle`),
    onSuccess: (answer) => {
      queryClient.setQueryData(transactionKeys.detail(id), answer)
    },
    onSettled: readAgain,
  })
}

/** Null while no period is chosen. */
export function useServiceTransactions(query: object | null) {
  return useQuery({
    queryKey: recordKeys.list(query ?? {}),
    queryFn: () => ask<ServiceTransactionsAnswer>("service-transactions", query ?? {}),
    placeholderData: keepPreviousData,
    enabled: query !== null,
  })
}

/** The service is asked each time, because its record is wanted as it is now. */
export function useRecord(id: string, isWanted = true) {
  return useQuery({
    queryKey: recordKeys.detail(id),
    queryFn: () => ask<RecordAnswer>(`service-transactions/${encodeURIComponent(id)}`),
    enabled: isWanted,
    staleTime: 0,
    retry: false,
  })
}
