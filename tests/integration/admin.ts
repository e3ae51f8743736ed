import type { AxiosInstance, AxiosResponse } from "axios"

/** Of the administrator that every prepared shop has. */
export const ADMIN_ID = "user_admin"
export const ADMIN = { email: "admin@shop.test", password: "a-password-of-the-tests" }

/** For a store in which the administrator may pay out. */
export const PAYS_OUT = {
  PAYMENT_SERVICE_PAYOUTS_ENABLED: "true",
  PAYMENT_SERVICE_PAYOUTS_PER_DAY: "300000",
  PAYMENT_SERVICE_PAYOUTS_USERS: ADMIN_ID,
}

type Answer = AxiosResponse<Record<string, unknown>>

export const ADMIN_NAME = "Demo"

/** An administrator's requests, as the dashboard makes them; answers of any status are returned. */
export interface Admin {
  get(address: string, headers?: Record<string, string>): Promise<Answer>
  post(address: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>
  delete(address: string): Promise<Answer>
}

export async function logIn({ http }: { http: AxiosInstance }, user = ADMIN): Promise<Admin> {
  const { data } = await http.post<{ token: string }>("/auth/user/emailpass", user)
  const headers = { authorization: `Bearer ${data.token}` }
  return {
    get: (address, more = {}) => http.get(address, { headers: { ...headers, ...more } }),
    post: (address, body = {}, more = {}) =>
      http.post(address, body, { headers: { ...headers, ...more } }),
    delete: (address) => http.delete(address, { headers }),
  }
}

/** The administrator of a test, who logs in with the first request. */
export function adminOf(store: { http: AxiosInstance }): Admin {
  let login: Promise<Admin> | undefined
  const loggedIn = () => (login ??= logIn(store))
  return {
    get: async (...request) => (await loggedIn()).get(...request),
    post: async (...request) => (await loggedIn()).post(...request),
    delete: async (...request) => (await loggedIn()).delete(...request),
  }
}
