import { isDeepStrictEqual } from "node:util"

import { MedusaError } from "@medusajs/framework/utils"

import type { PaymentServiceModuleService } from "../modules/payment-service"
import type { SettingsRow } from "../modules/payment-service/tables"
import { merchantAccountId } from "../payments/rules/transaction"
import { RefusedAction, refused } from "../refusals/refused"
import { type Code, text, type Text } from "../texts"
import { Keys } from "./keys"
import { OPTIONS, type OptionDescription } from "./describe-options"
import {
  accountOf,
  addressOf,
  givenByFile,
  type ResolvedOptions,
  SENT_SECRETS,
  SHARED,
} from "./resolve-options"
import { placeOf, secretsOf } from "./stored-settings"

export interface SettingsInput {
  /** The id of an account, or "" for what all accounts share, and for the store. */
  account: string
  /** The version of all settings that the admin saw; 0 while nothing was saved. */
  version: number
  /** All that is to be set, by the options' names; what is left out is not set any more. Without secrets. */
  options: Record<string, unknown>
  /** Secrets that were typed; null takes one away, and those that are left out stay. */
  secrets: Record<string, string | null>
}

type Save = Pick<SettingsRow, "account" | "options" | "secrets">

/**
 * Saves what an admin has set for an account. It holds for the next payment, on every instance within two seconds.
 *
 * @param accountIds the ids of accounts that the store's payment providers have
 * @throws MedusaError `INVALID_DATA`, code `invalid_settings`, with `fields` in its facts: why each wrong option is refused
 * @throws MedusaError `NOT_ALLOWED` when somebody else has saved meanwhile, or payments would not be found any more
 */
export async function saveSettings(
  module: PaymentServiceModuleService,
  { account, version, options, secrets }: SettingsInput,
  admin: { id: string; name: string },
  accountIds: string[]
): Promise<void> {
  const { settings } = module
  const { list, file } = settings
  const keys = Keys.ofEnvironment()
  const known = [SHARED, ...Object.keys(file.accounts ?? {}), ...accountIds]
  if (!known.includes(account)) throw refused("no_such_account", { account })
  const rows = await list.present()
  const last = rows.at(-1)
  if ((last?.version ?? 0) !== version) throw changedBy(last)
  const before = rows.find((row) => row.account === account)
  const others = rows.filter((row) => row !== before)
  const fromFile = givenByFile(file, account)
  const wrong: Record<string, Text> = {}
  const refuse = (name: string, code: Code<"wrongSettings">) => {
    wrong[name] = text("wrongSettings", code, {
      form: text("optionHelp", name as OptionDescription["name"]),
    })
  }
  const parsed = (option: OptionDescription, value: unknown): unknown => {
    if (option.name in fromFile) refuse(option.name, "set_in_file")
    if (option.name === "baseUrl" && SENT_SECRETS.some((name) => name in fromFile)) {
      refuse(option.name, "secret_in_file")
    }
    const read = option.schema.safeParse(value)
    if (!read.success) refuse(option.name, "other_form")
    return read.data
  }
  const kept: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(options)) {
    const option = optionOf(account, name)
    if (!option || option.isSecret) refuse(name, "not_an_option")
    else kept[name] = parsed(option, value)
  }
  const address = addressOf(file, [...others, { account, options: kept }], account)
  // A secret goes to the address with which it was typed, and nowhere else: nobody is shown it.
  const sentTo = (name: string) => (SENT_SECRETS.includes(name) ? address : null)
  const sealed = new Map(Object.entries(before ? secretsOf(before) : {}))
  for (const [name, { sent_to }] of sealed) {
    if (secrets[name] === undefined && sent_to !== sentTo(name)) refuse(name, "other_address")
  }
  for (const [name, secret] of Object.entries(secrets)) {
    const option = optionOf(account, name)
    if (!option?.isSecret) refuse(name, "not_an_option")
    else if (secret === null) sealed.delete(name)
    else if (!keys.canSeal) refuse(name, "no_key")
    else if (SENT_SECRETS.includes(name) && address === null) refuse(name, "no_address")
    else {
      parsed(option, secret)
      const at = module.clock.now().toISOString()
      sealed.set(name, {
        sealed: keys.seal(placeOf(account, name), secret),
        sent_to: sentTo(name),
        at,
        by_name: admin.name,
      })
    }
  }
  const saved = { account, options: kept, secrets: Object.fromEntries(sealed) }
  const present = settings.resolve(rows, keys)
  const next = settings.resolve([...others, saved as SettingsRow], keys)
  if (!Object.keys(wrong).length) await requireSamePlaces(module, present, next, known)
  for (const { id, missing } of next.accounts) {
    const wasComplete = accountOf(present.accounts, id ?? SHARED)?.options
    const isMeant = account === SHARED || account === id
    for (const name of missing) {
      // An option that is only missing may be set later, but no account that takes payments is broken.
      if (name in wrong || !(wasComplete || (isMeant && name in kept))) continue
      refuse(name, SENT_SECRETS.includes(name) ? "other_address" : "other_form")
    }
  }
  if (Object.keys(wrong).length) throw invalidSettings(wrong)
  const changed = changedOptions(before, saved)
  if (!changed.length) return
  const { id: by, name } = admin
  const row = { ...saved, version: version + 1, by, by_name: name }
  const messages = text("settingsNotices", "changed", { name, options: changed.join(", ") })
  const event = { account, version: row.version, changed, by, message: messages.en, messages }
  if (!(await list.add(row, event))) throw changedBy((await list.present()).at(-1))
  settings.forget()
  // Payments wait that nobody could understand, and perhaps somebody can now.
  if (changed.some((name) => name.startsWith("statuses."))) {
    await module.dueTransactions.hintUnknownStatuses()
  }
}

const changedBy = (last: SettingsRow | undefined) =>
  refused("settings_changed", { name: last?.by_name ?? "" })

/** The names of the options that two saves of an account set otherwise. */
export function changedOptions(before: Save | null | undefined, after: Save): string[] {
  // Sealed anew with another key, a secret is the same.
  const setAt = (save: Save | null | undefined, name: string) => save && secretsOf(save)[name]?.at
  return OPTIONS.map(({ name }) => name).filter(
    (name) =>
      !isDeepStrictEqual(before?.options[name], after.options[name]) ||
      (setAt(before, name) ?? null) !== (setAt(after, name) ?? null)
  )
}

/** An option that an account's settings may have: those of the store stand with what all accounts share. */
function optionOf(account: string, name: string): OptionDescription | undefined {
  return OPTIONS.find(
    (option) =>
      option.name === name && !option.isFileOnly && (account === SHARED || !option.isOfStore)
  )
}

/**
 * An admin must not lead payments or payouts elsewhere: the address and merchant of each provider change in the file once any was made.
 */
async function requireSamePlaces(
  { settings }: PaymentServiceModuleService,
  present: ResolvedOptions,
  next: ResolvedOptions,
  accountIds: string[]
): Promise<void> {
  const places = present.accounts.flatMap(({ merchant }) => merchant ?? [])
  const paid = await settings.list.paidAt(places)
  const placeIn = ({ accounts }: ResolvedOptions, id: string) => {
    const merchant = accountOf(accounts, id)?.merchant
    return merchant && merchantAccountId(merchant)
  }
  const isLeft = accountIds.some((id) => {
    const place = placeIn(present, id)
    const by = paid.flatMap((one) => (one.place === place ? one.account : []))
    // An account that nobody has paid by may begin elsewhere, while the one that was paid by stays.
    const isNew = !by.includes(id) && by.some((account) => accountIds.includes(account))
    return by.length > 0 && !isNew && placeIn(next, id) !== place
  })
  if (isLeft) throw refused("account_was_paid")
}

function invalidSettings(fields: Record<string, Text>): RefusedAction {
  const said = text("settingsNotices", "invalid")
  return new RefusedAction("invalid_settings", said, { fields }, MedusaError.Types.INVALID_DATA)
}
