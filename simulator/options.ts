import type { SimulatedTransaction } from "./transactions"

/** The meaning of a status. The simulator acts on meanings; the names are configuration. */
export type StatusMeaning = "pending" | "paid" | "canceled" | "expired" | "reversed"

/** The parts of a transaction that a callback body can be built from. */
export interface CallbackSubject {
  id: string
  merchantId: string
  status: string
  amount: number
  currency: string
  payload: string
  paymentMethod: number
}

/** The real payload is not specified, so its shape is a setting. */
export type CallbackBody = "flat" | "nested" | "array"

/** The answer to an export: the records, or the address of a file with them. */
export type ExportForm = "array" | "link"

export interface SimulatorOptions {
  /** 0 (default) takes any free port. */
  port?: number
  /** Default 127.0.0.1: nothing outside this machine can reach the control routes. Another host needs a password. */
  host?: string
  /** Pages and control routes ask for it, by HTTP's Basic scheme with any user name; the service's own endpoints do not. */
  password?: string
  /** Address used in redirect links, without a trailing slash; default http://localhost:<port>. */
  publicUrl?: string
  merchantId?: string
  merchantName?: string
  secret?: string
  signingSecret?: string
  /** First word of the Authorization header of the signed scheme; default SVC-HMAC. */
  scheme?: string
  /** The receiver of callbacks; null or absent: none are sent. */
  callbackUrl?: string | null
  callbackBody?: CallbackBody
  /** Names of statuses; the service's own are unknown except PENDING and CANCELED. */
  statuses?: Partial<Record<StatusMeaning, string>>
  /** Numeric codes of the export filter. Invented: the specification does not show them. */
  statusCodes?: Partial<Record<StatusMeaning, number>>
  /** Payment methods by numeric code; the specification shows only 2 and 13. */
  methods?: Record<number, string>
  /** Accepted currencies; default RUB only. */
  currencies?: string[]
  /** Time to pay in seconds; default 900. */
  expiresInSeconds?: number
  /** False keeps an unpaid transaction pending for ever, because the real transition is not specified. */
  autoExpire?: boolean
  /** Answer to a repeated idempotency key with the same body: the same payout, or 409. */
  repeatedKey?: "same" | "reject"
  exportAs?: ExportForm
  /** The id in the export's `recordId`: the transaction's, or one of its own. Not specified. */
  recordIds?: "transaction" | "own"
  /** Rubles per USDT. */
  usdtRate?: number
  /** The balance in USDT from which payouts are paid. */
  usdtBalance?: number
  /** Refuses a creation without metadata.userId. */
  requireUserId?: boolean
  /** False answers 403 in the payout area, as for a merchant without the feature. */
  payoutsEnabled?: boolean
  /** The content of `qr` in the details: an address, or a text of the ST00012 kind. */
  qr?: "address" | "text"
  /** The transactions of an earlier run, in order of creation. */
  transactions?: SimulatedTransaction[]
  /** The clock, in milliseconds since the epoch. */
  now?: () => number
}

/** The options of a simulator's start, which do not change afterwards. */
type OfTheStart = "port" | "host" | "password" | "transactions" | "now"
type Meanings = "statuses" | "statusCodes"

/** Options with all defaults, which a running simulator reads and `configure` changes. */
export type Settings = Required<Omit<SimulatorOptions, OfTheStart | Meanings>> & {
  statuses: Record<StatusMeaning, string>
  statusCodes: Record<StatusMeaning, number>
}

/** The specification's methods for instant transfers and crypto. */
export const SBP_METHOD = 2
export const CRYPTO_METHOD = 13

/** Fills in defaults. `publicUrl` is completed once the port is known. */
export function settingsFrom(options: SimulatorOptions): Settings {
  return {
    publicUrl: (options.publicUrl ?? "").replace(/\/+$/, ""),
    merchantId: options.merchantId ?? "5f0c9d1e-7a34-4b52-9d8e-2c6b1a7f4e10",
    merchantName: options.merchantName ?? "Demo Shop",
    secret: options.secret ?? "demo-api-secret",
    signingSecret: options.signingSecret ?? "demo-signing-secret",
    scheme: options.scheme ?? "SVC-HMAC",
    callbackUrl: options.callbackUrl ?? null,
    callbackBody: options.callbackBody ?? "flat",
    statuses: {
      pending: "PENDING",
      paid: "CONFIRMED",
      canceled: "CANCELED",
      expired: "EXPIRED",
      reversed: "CHARGEBACKED",
      ...withoutUndefined(options.statuses),
    },
    statusCodes: {
      pending: 1,
      paid: 2,
      canceled: 3,
      expired: 4,
      reversed: 5,
      ...withoutUndefined(options.statusCodes),
    },
    methods: options.methods ?? { [SBP_METHOD]: "SBPQR", [CRYPTO_METHOD]: "CRYPTO" },
    currencies: options.currencies ?? ["RUB"],
    expiresInSeconds: options.expiresInSeconds ?? 900,
    autoExpire: options.autoExpire ?? true,
    repeatedKey: options.repeatedKey ?? "same",
    exportAs: options.exportAs ?? "array",
    recordIds: options.recordIds ?? "transaction",
    usdtRate: options.usdtRate ?? 92.5,
    usdtBalance: options.usdtBalance ?? 10_000,
    requireUserId: options.requireUserId ?? false,
    payoutsEnabled: options.payoutsEnabled ?? true,
    qr: options.qr ?? "address",
  }
}

/** Drops keys with undefined values, which would overwrite defaults in a spread. */
export function withoutUndefined<T extends object>(value: T | undefined): Partial<T> {
  const kept: Partial<T> = {}
  if (!value) return kept
  for (const key of Object.keys(value) as (keyof T)[]) {
    if (value[key] !== undefined) kept[key] = value[key]
  }
  return kept
}
