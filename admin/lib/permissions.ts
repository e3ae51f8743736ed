import { useQuery } from "@tanstack/react-query"

import { sdk } from "./sdk"

/** The operations of a role, by resource; the routes refuse all others. */
interface Operations {
  payment_service: "read" | "update" | "export"
  payment_service_payout: "read" | "create" | "approve"
  payment_service_settings: "read" | "update"
}

const STALE_AFTER_MS = 5 * 60_000

/** The switches of the store. Medusa has asked for them under this key, with an answer of this shape, before any page is shown. */
const useFeatureFlags = () =>
  useQuery({
    queryKey: ["admin", "feature-flags"],
    queryFn: async () => {
      type Flags = Record<string, boolean | undefined>
      return (await sdk.client.fetch<{ feature_flags: Flags }>("/admin/feature-flags"))
        .feature_flags
    },
    staleTime: STALE_AFTER_MS,
  })

/**
 * Whether the user may do this. Until that is known, nothing is offered; if it cannot be read, everything is, and the routes
 * decide. Where Medusa's roles are switched off, there are no permissions to ask for.
 */
export function useMay<Resource extends keyof Operations = "payment_service">(
  operation: Operations[Resource],
  resource?: Resource
): boolean {
  const flags = useFeatureFlags()
  const hasRoles = flags.data?.rbac === true
  // Medusa's own pages ask under this key, too.
  const { data, isError } = useQuery({
    queryKey: ["me-permissions"],
    queryFn: () => sdk.admin.rbacRole.mePermissions(),
    enabled: hasRoles,
    staleTime: STALE_AFTER_MS,
  })
  if (!hasRoles) return !flags.isPending
  if (data === undefined) return isError
  return data.permissions.includes(`${resource ?? "payment_service"}:${operation}`)
}
