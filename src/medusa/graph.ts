import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

interface Question {
  entity: string
  fields: string[]
  filters: object
  pagination?: { take: number; skip: number; order: Record<string, "ASC" | "DESC"> }
}

/**
 * Reads records over several of Medusa's modules. Core does not type the result, so the caller, who names the
 * fields, also names their type `T`.
 */
export async function readGraph<T>(container: MedusaContainer, question: Question): Promise<T[]> {
  const { data } = await container
    .resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
    .graph(question)
  return data as T[]
}
