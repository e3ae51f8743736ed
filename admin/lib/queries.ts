import { ordersQueryKeys } from "@medusajs/dashboard/hooks"
import { keepPreviousData, useMutation, useQuery, useQueryClient } from "@tanstack/react-query"

import type { ServiceTransactionsAnswer, TransactionAnswer, TransactionsAnswer } from "./api"
import { ask, post } from "./sdk"

/** Keys in the form of Medusa's own, each kind under a name of ours. */
const keysOf = (name: string) => ({
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

export function useTransaction(id: string, initialData?: TransactionAnswer) {
  return useQuery({ ...transactionQuery(id), ...(initialData ? { initialData } : {}) })
}

/** Has the service asked; all that may have changed by it is read again. */
export function useSettle(id: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => post<TransactionAnswer>(`transactions/${encodeURIComponent(id)}/settle`),
    onSuccess: (answer) => {
      queryClient.setQueryData(transactionKeys.detail(id), answer)
    },
    onSettled: async () => {
      await Promise.all(
        [transactionKeys.all, problemKeys.all, ordersQueryKeys.all].map((queryKey) =>
          queryClient.invalidateQueries({ queryKey: [...queryKey] })
        )
      )
    },
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
