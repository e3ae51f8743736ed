import { act } from "@testing-library/react"

import {
  type PaymentStatus,
  StoreError,
  type StoreReader,
  type StoreRequest,
} from "../../../storefront/index.js"
import type { PaymentLink } from "../../../storefront/payment-link.js"

export const NOW = Date.parse("2026-03-01T12:00:00.000Z")
export const SESSION = "payses_01"
export const LINK = "pay_col_01"

/** A payment that waits for its payer, as the store tells of it. */
export function aStatus(patch: Partial<PaymentStatus> = {}): PaymentStatus {
  return {
    id: SESSION,
    state: "pending",
    order_id: null,
    redirect: "https://pay.test/1",
    qr: "https://qr.test/1",
    expires_at: new Date(NOW + 15 * 60_000).toISOString(),
    method: "sbp",
    amount: "1990.50",
    currency: "RUB",
    provider_id: "pp_sbp_main",
    payment_collection_id: LINK,
    return_id: patch.id ?? SESSION,
    order_display_id: null,
    usdt_rate: null,
    paid_at: null,
    reference: null,
    open_attempt: null,
    server_time: new Date(Date.now()).toISOString(),
    payable_again: ["canceled", "expired"].includes(patch.state ?? ""),
    ...patch,
  }
}

function aLink(patch: Partial<PaymentLink> = {}): PaymentLink {
  return {
    id: LINK,
    state: "payable",
    amount: "500.00",
    currency: "RUB",
    order_display_id: 7,
    session_id: null,
    providers: [
      { id: "pp_sbp_main", method: "sbp" },
      { id: "pp_crypto_main", method: "crypto" },
    ],
    ...patch,
  }
}

/** A question that was put to the store, to be answered by the test. */
interface Question extends StoreRequest {
  path: string
  answer: (body: object) => Promise<void>
  refuse: (status: number, message?: string) => Promise<void>
  fail: () => Promise<void>
}

type Answer = object | Error

/** A store that answers as the test says: at once by `answers`, or when the test gets to a question. */
export class ScriptedStore implements StoreReader {
  readonly questions: Question[] = []
  /** Answers by the beginning of the path, given at once; a function is asked each time. */
  answers: Record<string, Answer | (() => Answer)> = {}

  readonly client = {
    fetch: <T>(path: string, request: StoreRequest = {}): Promise<T> =>
      new Promise((resolve, reject) => {
        const settle = (action: () => void) => act(async () => action())
        this.questions.push({
          path,
          ...request,
          answer: (body) => settle(() => resolve(body as T)),
          refuse: (status, message = "No.") =>
            settle(() => reject(new StoreError(message, status))),
          fail: () => settle(() => reject(new TypeError("Failed to fetch"))),
        })
        const [, scripted] =
          Object.entries(this.answers).find(([beginning]) =>
            `${request.method ?? "GET"} ${path}`.startsWith(beginning)
          ) ?? []
        const answer =
          typeof scripted === "function" && !(scripted instanceof Error) ? scripted() : scripted
        if (answer instanceof Error) reject(answer)
        else if (answer) resolve(answer as T)
      }),
  }

  get last(): Question {
    const question = this.questions.at(-1)
    if (!question) throw new Error("The store was not asked")
    return question
  }

  asked(method: "GET" | "POST", path = ""): Question[] {
    return this.questions.filter(
      (question) => (question.method ?? "GET") === method && question.path.startsWith(path)
    )
  }

  /** From now on the payment is in this state. */
  says(patch: Partial<PaymentStatus>, id = SESSION): void {
    this.answers[`GET /store/payment-service/sessions/${id}`] = () => ({
      session: aStatus({ id, ...patch }),
    })
  }

  saysLink(patch: Partial<PaymentLink>): void {
    this.answers["GET /store/payment-service/payment-collections/"] = () => ({
      payment_collection: aLink(patch),
    })
  }

  /** From now on a payment can be begun, with this session. */
  opens(id: string, providerId = "pp_sbp_main"): void {
    this.answers["POST /store/payment-collections/"] = () => ({
      payment_collection: {
        id: LINK,
        payment_sessions: [{ id, provider_id: providerId, status: "pending" }],
      },
    })
  }

  refuses(path: string, error: Error): void {
    this.answers[path] = error
  }
}

/** Lets time pass, and everything that was waiting for it happen. */
export async function pass(ms: number): Promise<void> {
  await act(async () => {
    await jest.advanceTimersByTimeAsync(ms)
  })
}

export async function setHidden(hidden: boolean): Promise<void> {
  Object.defineProperty(document, "hidden", { configurable: true, value: hidden })
  await act(async () => {
    document.dispatchEvent(new Event("visibilitychange"))
  })
}

export async function setOnline(online: boolean): Promise<void> {
  Object.defineProperty(navigator, "onLine", { configurable: true, value: online })
  await act(async () => {
    window.dispatchEvent(new Event(online ? "online" : "offline"))
  })
}

export async function widenScreen(wide: boolean): Promise<void> {
  await act(async () => {
    ;(window as unknown as { widenScreen: (wide: boolean) => void }).widenScreen(wide)
  })
}

/** The device, and its clock, as each test finds them. */
export function beforeEachVisit(): void {
  beforeEach(async () => {
    jest.useFakeTimers({ now: NOW })
    await setHidden(false)
    await setOnline(true)
    await widenScreen(true)
  })
  afterEach(() => {
    jest.useRealTimers()
  })
}
