import { isDeepStrictEqual } from "node:util"

import { MedusaError } from "@medusajs/framework/utils"

import type { PaymentServiceModuleService } from "../modules/payment-service"
import type { SettingsRow } from "../modules/payment-service/tables"
import { merchantAccountId } from "../payments/rules/transaction"
import { RefusedAction, refused } from "../refusals/refused"
import { type Code, text, type Text } from "../texts"
import { Keys } from "./keys"
import { OPTIONS, type OptionDescription } from "./describe-options"
import { accountOf, isSetInFile, type ResolvedOptions, SHARED } from "./resolve-options"
import type { NewSettings } from "./statements/settings"
import { newestOf, placeOf, secretsOf } from "./stored-settings"

export interface SettingsInput {
  /** The id of an account, or "" for what all accounts share, and for the store. */
  account: string
  /** The version that the admin saw; 0 while nothing was saved. */
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
 * @throws MedusaError `INVALID_DATA`, code `invalid_settings`, with `fields` in its facts: why each wrong option is refused
 * @throws MedusaError `NOT_ALLOWED` when somebody else has saved meanwhile, or payments would not be found any more
 */
export async function saveSettings(
  module: PaymentServiceModuleService,
  { account, version, options, secrets }: SettingsInput,
  admin: { id: string; name: string }
): Promise<void> {
  const { settings } = module
  const keys = Keys.ofEnvironment()
  const rows = newestOf(await settings.list.all())
  const before = rows.find((row) => row.account === account)
  if ((before?.version ?? 0) !== version) {
    throw refused("settings_changed", { name: before?.by_name ?? "" })
  }
  const wrong: Record<string, Text> = {}
  const refuse = (name: string, code: Code<"wrongSettings">) => {
    wrong[name] = text("wrongSettings", code, {
      form: text("optionHelp", name as OptionDescription["name"]),
    })
  }
  const parsed = (option: OptionDescription, value: unknown): unknown => {
    if (isSetInFile(settings.file, account, option.name)) refuse(option.name, "set_in_file")
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
  const sealed = new Map(Object.entries(before ? secretsOf(before) : {}))
  for (const [name, secret] of Object.entries(secrets)) {
    const option = optionOf(account, name)
    if (!option?.isSecret) refuse(name, "not_an_option")
    else if (secret === null) sealed.delete(name)
    else if (!keys.canSeal) refuse(name, "no_key")
    else {
      parsed(option, secret)
      const at = module.clock.now().toISOString()
      sealed.set(name, {
        sealed: keys.seal(placeOf(account, name), secret),
        at,
        by_name: admin.name,
      })
    }
  }
  const saved = { account, options: kept, secrets: Object.fromEntries(sealed) }
  const others = rows.filter((row) => row.account !== account)
  const present = settings.resolve(rows, keys)
  const next = settings.resolve([...others, saved as SettingsRow], keys)
  for (const { options: unfit } of next.incomplete) {
    // An option that is only missing may be set later.
    for (const name of unfit) if (name in kept && !(name in wrong)) refuse(name, "other_form")
  }
  if (Object.keys(wrong).length) throw invalidSettings(wrong)
  await requireSamePlaces(module, present, next)
  requireTypedSecret(present, next, Object.values(secrets))
  const changed = changedOptions(before, saved)
  if (!changed.length) return
  const row: NewSettings = {
    ...saved,
    version: version + 1,
    by: admin.id,
    by_name: admin.name,
  }
  const messages = text("settingsNotices", "changed", {
    name: admin.name,
    options: changed.join(", "),
  })
  const event = {
    account,
    version: row.version,
    changed,
    by: admin.id,
    message: messages.en,
    messages,
  }
  if (!(await settings.list.add(row, event))) throw refused("settings_changed", { name: "" })
  settings.forget()
  // Payments wait that nobody could understand, and perhaps somebody can now.
  if (changed.some((name) => name.startsWith("statuses."))) {
    await module.dueTransactions.hintUnknownStatuses()
  }
}

/** The names of the options that two saves of an account set otherwise. */
export function changedOptions(before: Save | undefined, after: Save): string[] {
  return OPTIONS.map(({ name }) => name).filter(
    (name) =>
      !isDeepStrictEqual(before?.options[name], after.options[name]) ||
      !isDeepStrictEqual(before?.secrets[name], after.secrets[name])
  )
}

/** An option that an account's settings may have: those of the store stand with what all accounts share. */
function optionOf(account: string, name: string): OptionDescription | undefined {
  return OPTIONS.find(
    (option) =>
      option.name === name && !option.isFileOnly && (account === SHARED || !option.isOfStore)
  )
}

/** An admin must not lead payments elsewhere: an account's address and merchant change in the file once it was paid there. */
async function requireSamePlaces(
  { settings }: PaymentServiceModuleService,
  present: ResolvedOptions,
  next: ResolvedOptions
): Promise<void> {
  const placeIn = ({ accounts }: ResolvedOptions, id: string) => {
    const found = accountOf(accounts, id)
    return found && merchantAccountId(found.options)
  }
  const paid = await settings.list.paidAt(present.accounts.map(({ options }) => options))
  const isLeft = paid.some(
    ({ account, place }) => placeIn(present, account) === place && placeIn(next, account) !== place
  )
  if (isLeft) throw refused("account_was_paid")
}

/** A secret that is kept goes to no further address: nobody is shown it, so whoever names another address types it, too. */
function requireTypedSecret(
  { sentTo: before }: ResolvedOptions,
  { sentTo: after }: ResolvedOptions,
  typed: (string | null)[]
): void {
  const isSentElsewhere = after.some(
    (one) => !typed.includes(one.secret) && !before.some((known) => isDeepStrictEqual(known, one))
  )
  if (isSentElsewhere) throw invalidSettings({ secret: text("wrongSettings", "other_address") })
}

function invalidSettings(fields: Record<string, Text>): RefusedAction {
  const said = text("settingsNotices", "invalid")
  return new RefusedAction("invalid_settings", said, { fields }, MedusaError.Types.INVALID_DATA)
}
