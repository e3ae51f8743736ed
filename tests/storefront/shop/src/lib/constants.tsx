import { Bolt, CreditCard, CurrencyDollar } from "@medusajs/icons"
import React from "react"

export const paymentInfoMap: Record<
  string,
  { title: string; icon: React.JSX.Element }
> = {
  pp_system_default: {
    title: "Manual Payment",
    icon: <CreditCard />,
  },
  pp_sbp_main: { title: "SBP", icon: <Bolt /> },
  pp_crypto_main: { title: "Crypto", icon: <CurrencyDollar /> },
  // Add more payment providers here
}

/** How the shopper's browser asks the store about payments. */
export const reader = {
  baseUrl: process.env.NEXT_PUBLIC_MEDUSA_BACKEND_URL!,
  publishableKey: process.env.NEXT_PUBLIC_MEDUSA_PUBLISHABLE_KEY!,
}

export const isManual = (providerId?: string) => {
  return providerId?.startsWith("pp_system_default")
}
