import type { IAuthModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { createUsersWorkflow } from "@medusajs/medusa/core-flows"
import type { AxiosResponse } from "axios"

import type { TestStore } from "./store"

type Answer = AxiosResponse<Record<string, unknown>>

/** An administrator's requests, as the dashboard makes them; answers of any status are returned. */
export interface Admin {
  get(address: string): Promise<Answer>
  post(address: string, body?: unknown): Promise<Answer>
  delete(address: string): Promise<Answer>
}

export async function logIn(store: TestStore): Promise<Admin> {
  const login = { email: "admin@shop.test", password: "a-password-of-the-tests" }
  const auth = store.container.resolve<IAuthModuleService>(Modules.AUTH)
  const { result } = await createUsersWorkflow(store.container).run({
    input: { users: [{ email: login.email }] },
  })
  const { authIdentity } = await auth.register("emailpass", { body: login })
  if (!authIdentity || !result[0]) throw new Error("The administrator could not be registered")
  await auth.updateAuthIdentities({
    id: authIdentity.id,
    app_metadata: { user_id: result[0].id },
  })
  const { data } = await store.http.post<{ token: string }>("/auth/user/emailpass", login)
  const headers = { authorization: `Bearer ${data.token}` }
  return {
    get: (address) => store.http.get(address, { headers }),
    post: (address, body = {}) => store.http.post(address, body, { headers }),
    delete: (address) => store.http.delete(address, { headers }),
  }
}
