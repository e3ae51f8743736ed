import type { Accounts, PaymentServiceModuleService } from "../modules/payment-service"
import type { SettingsRow } from "../modules/payment-service/tables"
import { merchantAccountId } from "../payments/rules/transaction"
import { text } from "../texts"
import { Keys } from "./keys"
import { OPTIONS, type OptionDescription, type OptionValue } from "./describe-options"
import { addressOf, givenByFile, type ResolvedAccount, SHARED } from "./resolve-options"
import { changedOptions } from "./save-settings"
import { secretsOf, unopened } from "./stored-settings"

const MOST_HISTORY = 50

/**
 * All that the page Settings shows: each account's options with their values and where these come from, without secrets, and who
 * changed what.
 *
 * @param accountIds the ids of accounts that the store's payment providers have
 */
export async function settingsView(
  { settings }: PaymentServiceModuleService,
  accounts: Accounts,
  accountIds: string[]
) {
  const { list, file } = settings
  const newest = await list.present()
  const keys = Keys.ofEnvironment()
  const begun = [...Object.keys(file.accounts ?? {}), ...newest.map(({ account }) => account)]
  // A provider that is alone takes what all accounts share.
  const areSeveral = new Set(accountIds).size > 1 || begun.some((id) => id !== SHARED)
  const ids = new Set([SHARED, ...begun, ...(areSeveral ? accountIds : [])])
  const saves = [...ids].map(
    (account) =>
      newest.find((row) => row.account === account) ??
      ({ account, options: {}, secrets: {} } as SettingsRow)
  )
  const resolved = settings.resolve(saves, keys).accounts
  const inFlight = await list.inFlightAt(resolved.flatMap(({ merchant }) => merchant ?? []))
  return {
    /** Whether secrets can be sealed here; without a key they stay in the file. */
    can_seal: keys.canSeal,
    /** Secrets that no key opens: the store has another key than when they were typed. */
    unopened: unopened(newest, keys),
    /** Payments under way that no account leads to, also none of earlier settings, so that they cannot be read. */
    in_flight_elsewhere: await list.inFlightElsewhere(accounts.merchantAccounts()),
    accounts: saves.map((save) => {
      const { account: id } = save
      const account = resolved.find((one) => (one.id ?? SHARED) === id)
      const shared = id === SHARED ? undefined : saves.find(({ account }) => account === SHARED)
      const fromFile = givenByFile(file, id)
      const address = addressOf(file, newest, id)
      const place = idOfPlace(account)
      // Payments are left by nobody where another account goes on leading to them.
      const stays =
        id !== SHARED && resolved.some((one) => one !== account && idOfPlace(one) === place)
      return {
        /** "" stands for what all accounts share, and for the store. */
        account: id,
        /** That of all settings: a save is judged with all others. */
        version: newest.at(-1)?.version ?? 0,
        /** Null where "" is no account of its own. */
        is_complete: account ? account.options !== null : null,
        missing: account?.missing ?? [],
        /** Whether the service can be asked already, although perhaps nobody can pay yet. */
        can_be_asked: Boolean(account?.connection),
        /** Payments that are not final yet, and to which no other account would lead. */
        in_flight: (!stays && place && inFlight.get(place)) || 0,
        options: OPTIONS.filter(({ isOfStore }) => id === SHARED || !isOfStore).map((option) =>
          optionView(option, fromFile[option.name], save, shared, address)
        ),
      }
    }),
    /** The last changes of options with their authors, the last one first. A name can be changed, an id cannot. */
    history: (await list.latest(MOST_HISTORY)).map(({ before, ...save }) => ({
      account: save.account,
      version: save.version,
      at: save.at,
      by: save.by,
      by_name: save.by_name,
      changed: changedOptions(before, save),
    })),
  }
}

const idOfPlace = (account: ResolvedAccount | undefined) =>
  account?.merchant ? merchantAccountId(account.merchant) : null

/** @param shared what all accounts share; a secret of theirs is sent to the address alone for which it was typed */
function optionView(
  option: OptionDescription,
  inFile: unknown,
  own: SettingsRow,
  shared: SettingsRow | undefined,
  address: string | null
) {
  const { name, isSecret, isFileOnly, byDefault = null } = option
  const secret = secretsOf(own)[name]
  const theirs = shared && secretsOf(shared)[name]
  const inherited = theirs?.sent_to === address ? theirs : undefined
  const [stored, ofAll] = isSecret
    ? [secret, inherited]
    : [own.options[name] ?? undefined, shared?.options[name] ?? undefined]
  const source =
    inFile !== undefined
      ? ("file" as const)
      : stored !== undefined
        ? ("stored" as const)
        : ofAll !== undefined
          ? ("shared" as const)
          : ("default" as const)
  const unset = isSecret ? null : ((ofAll ?? byDefault) as OptionValue | null)
  const set = source === "file" ? undefined : (secret ?? inherited)
  return {
    name,
    section: option.section,
    kind: option.kind,
    choices: option.choices,
    is_secret: isSecret,
    /** Only the configuration file may change it. */
    is_locked: inFile !== undefined || isFileOnly,
    is_required: option.isRequired,
    has_host: option.hasHost,
    source,
    value: isSecret ? null : ((inFile ?? stored ?? unset) as OptionValue | null),
    /** Its value while this account does not set it: that of all accounts, else the one that is built in. */
    by_default: unset,
    set_at: set?.at ?? null,
    set_by: set?.by_name ?? null,
    label: text("optionLabels", name),
    help: text("optionHelp", name),
  }
}
