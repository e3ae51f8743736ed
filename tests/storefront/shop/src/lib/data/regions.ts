"use server"

import { sdk } from "@lib/config"

export const getRegion = async (countryCode: string) => {
  const { regions } = await sdk.store.region.list()
  return regions.find(({ countries }) =>
    countries?.some(({ iso_2 }) => iso_2 === countryCode)
  )
}
