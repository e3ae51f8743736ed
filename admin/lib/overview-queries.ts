import {
  keepPreviousData,
  skipToken,
  useMutation,
  useQuery,
  useQueryClient,
} from "@tanstack/react-query"
import { useEffect } from "react"

import type {
  CheckAnswer,
  CompareAnswer,
  ComparisonsAnswer,
  ConnectionAnswer,
  OverviewAnswer,
} from "./api"
import {
  comparisonKeys,
  connectionCheckKey,
  connectionKey,
  overviewKeys,
  problemKeys,
} from "./query-keys"
import { post, remove } from "./refusal"
import { ask } from "./sdk"

/** The interval at which an open page reads again. */
const OVERVIEW_EVERY_MS = 60_000
const COMPARING_EVERY_MS = 3_000

export function useOverview(query: object) {
  return useQuery({
    queryKey: overviewKeys.list(query),
    queryFn: () => ask<OverviewAnswer>("overview", query),
    placeholderData: keepPreviousData,
    refetchInterval: OVERVIEW_EVERY_MS,
  })
}

/** Reads the list repeatedly while a comparison runs, and the problems when it has ended. */
export function useComparisons(query: object) {
  const queryClient = useQueryClient()
  const answer = useQuery({
    queryKey: comparisonKeys.list(query),
    queryFn: () => ask<ComparisonsAnswer>("comparisons", query),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.running ? COMPARING_EVERY_MS : false),
  })
  const isRunning = Boolean(answer.data?.running)
  useEffect(() => {
    if (!isRunning) return
    return () => void queryClient.invalidateQueries({ queryKey: problemKeys.all })
  }, [isRunning, queryClient])
  return answer
}

export function useCompareNow() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (of: { account?: string }) => post<CompareAnswer>("comparisons", of),
    onSettled: () => queryClient.invalidateQueries({ queryKey: comparisonKeys.all }),
  })
}

/** @param every the interval in which an open page reads again, in milliseconds */
export function useConnection(every?: number) {
  return useQuery({
    queryKey: connectionKey,
    queryFn: () => ask<ConnectionAnswer>("connection"),
    refetchInterval: every ?? false,
  })
}

/** The accounts of the options, for a choice; none for a single account. */
export function useAccountsToChoose(): string[] {
  const { data } = useQuery({
    queryKey: connectionKey,
    queryFn: () => ask<ConnectionAnswer>("connection"),
    staleTime: 10 * 60_000,
    retry: false,
  })
  const ids = (data?.accounts ?? []).flatMap(({ id }) => id ?? [])
  return ids.length > 1 ? ids : []
}

/** The answers of the last check that this admin asked for; undefined before one. Nothing is asked for here. */
export function useLastCheck(): CheckAnswer | undefined {
  const { data } = useQuery<CheckAnswer>({
    queryKey: connectionCheckKey,
    queryFn: skipToken,
    gcTime: Infinity,
  })
  return data
}

/** Has the service asked; a refusal opens a problem, and an answer closes it. */
export function useCheckConnection() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => post<CheckAnswer>("connection/check"),
    onSuccess: (answer) => queryClient.setQueryData(connectionCheckKey, answer),
    onSettled: () => queryClient.invalidateQueries({ queryKey: problemKeys.all }),
  })
}

export function useReplaceToken() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: () => post("callback-tokens"),
    onSettled: () => queryClient.invalidateQueries({ queryKey: connectionKey }),
  })
}

export function useRemoveToken() {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => remove(`callback-tokens/${encodeURIComponent(id)}`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: connectionKey }),
  })
}
