import type { Accounts, PaymentServiceModuleService } from "../modules/payment-service"
import type { SettingsRow } from "../modules/payment-service/tables"
import { merchantAccountId } from "../payments/rules/transaction"
import { text } from "../texts"
import { Keys } from "./keys"
import { OPTIONS, type OptionValue } from "./describe-options"
import { isSetInFile, SHARED, valueAt } from "./resolve-options"
import { changedOptions } from "./save-settings"
import { newestOf, secretsOf, unopened } from "./stored-settings"

const MOST_HISTORY = 50

/**
 * All that the page Settings shows: each account's options with their values and where these come from, without secrets, and who
 * changed what.
 *
 * @param accountIds the ids of accounts that the store's payment providers have
 */
export async function settingsView(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  accountIds: string[]
) {
  const { list } = module.settings
  const rows = await list.all()
  const newest = newestOf(rows)
  const keys = Keys.ofEnvironment()
  const present = accounts.named().map(({ options }) => options)
  const inFlight = await list.inFlightAt(present)
  const known = [SHARED, ...newest.map(({ account }) => account), ...accounts.ids]
  const several = known.some((id) => id !== SHARED)
  const ids = [...new Set(several ? [...known, ...accountIds] : known)]
  return {
    /** Whether secrets can be sealed here; without a key they stay in the file. */
    can_seal: keys.canSeal,
    /** Secrets that no key opens: the store has another key than when they were typed. */
    unopened: unopened(newest, keys),
    /** Payments under way that no account leads to, so that they cannot be read. */
    in_flight_elsewhere: await list.inFlightElsewhere(present),
    accounts: ids.map((id) => {
      const row = newest.find(({ account }) => account === id)
      const named = accounts.named().find((one) => (one.id ?? SHARED) === id)
      return {
        /** "" stands for what all accounts share, and for the store. */
        account: id,
        /** That of all settings: a save is judged with all others. */
        version: rows.at(-1)?.version ?? 0,
        changed_at: row?.at ?? null,
        changed_by: row?.by_name ?? null,
        /** Null where "" is no account of its own. */
        is_complete: named ? true : several && id === SHARED ? null : false,
        missing: accounts.incomplete.find((one) => (one.id ?? SHARED) === id)?.options ?? [],
        /** Whether the service can be asked already, although perhaps nobody can pay yet. */
        can_be_asked: accounts.connections().some((one) => (one.id ?? SHARED) === id),
        /** Payments that are not final yet. */
        in_flight: (named && inFlight.get(merchantAccountId(named.options))) ?? 0,
        options: OPTIONS.filter(({ isOfStore }) => id === SHARED || !isOfStore).map((option) =>
          optionView(module, option, id, row)
        ),
      }
    }),
    /** Who changed which options, the last one first. */
    history: rows
      .map(({ account, version, at, by_name }, index) => ({
        account,
        version,
        at,
        by_name,
        changed: changedOptions(
          rows.slice(0, index).findLast((earlier) => earlier.account === account),
          rows[index] as SettingsRow
        ),
      }))
      .reverse()
      .slice(0, MOST_HISTORY),
    /** Null until the file names the store's address. */
    callback_url: await module.callbackTokens.callbackUrl(accounts),
  }
}

function optionView(
  { settings: { file } }: PaymentServiceModuleService,
  {
    name,
    section,
    kind,
    choices,
    isSecret,
    isFileOnly,
    isRequired,
    byDefault,
  }: (typeof OPTIONS)[number],
  account: string,
  row: SettingsRow | undefined
) {
  const isInFile = isSetInFile(file, account, name)
  const inFile = valueAt(file.accounts?.[account] ?? {}, name) ?? valueAt(file.shared, name)
  const stored = row?.options[name]
  const secret = row && secretsOf(row)[name]
  const isStored = isSecret ? secret !== undefined : stored !== undefined && stored !== null
  return {
    name,
    section,
    kind,
    choices,
    is_secret: isSecret,
    /** Only the configuration file may change it. */
    is_locked: isInFile || isFileOnly,
    is_required: isRequired,
    source: isInFile ? ("file" as const) : isStored ? ("stored" as const) : ("default" as const),
    value: isSecret
      ? null
      : (((isInFile ? inFile : stored) ?? byDefault ?? null) as OptionValue | null),
    by_default: isSecret ? null : ((byDefault ?? null) as OptionValue | null),
    set_at: isInFile ? null : (secret?.at ?? null),
    set_by: isInFile ? null : (secret?.by_name ?? null),
    label: text("optionLabels", name),
    help: text("optionHelp", name),
  }
}
