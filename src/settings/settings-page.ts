import { isDeepStrictEqual } from "node:util"

import { MedusaError } from "@medusajs/framework/utils"
import { z } from "@medusajs/framework/zod"

import type { PaymentServiceModuleService } from "../modules/payment-service"
import { TOKEN_PLACE } from "../payments/statements/callback-tokens"
import { RefusedAction, refused } from "../refusals/refused"
import { type Code, text, type Text } from "../texts"
import { placeOf, unopened } from "./accounts"
import { Keys } from "./keys"
import { type OptionDescription, OPTIONS, SENT_SECRETS, SHARED } from "./options"
import { accountOf, addressOf, givenByFile, type ResolvedOptions } from "./resolve-options"
import { newestOf, type Save, type SettingsRow } from "./statements/settings"

const MOST_HISTORY = 50

type OptionValue = string | number | boolean | string[] | Record<string, string>

/** All that the page Settings shows, without secrets. The ids of accounts are those that the store's payment providers have. */
export async function settingsView(module: PaymentServiceModuleService, accountIds: string[]) {
  const { list, file } = module.settings
  const all = await list.all()
  const newest = newestOf(all)
  const keys = Keys.ofEnvironment()
  const begun = [...file.accounts.keys(), ...newest.map(({ account }) => account)]
  // A provider that is alone takes what all accounts share.
  const areSeveral = new Set(accountIds).size > 1 || begun.some((id) => id !== SHARED)
  const ids = new Set([SHARED, ...begun, ...(areSeveral ? accountIds : [])])
  const saves = [...ids].map(
    (account): Save =>
      newest.find((row) => row.account === account) ?? { account, options: {}, secrets: {} }
  )
  const resolved = module.settings.resolve(saves, keys).accounts
  const inFlight = await list.inFlight()
  return {
    /** Without a key, secrets stay in the file. */
    can_seal: keys.canSeal,
    /** Secrets that no key opens: the store has another key than when they were typed. */
    unopened: unopened(newest, keys),
    /** Payments under way that no account leads to, also none of earlier settings, so that they cannot be read. */
    in_flight_elsewhere: (await module.accounts()).elsewhere(inFlight),
    accounts: saves.map((save) => {
      const { account: id } = save
      const account = resolved.find((one) => (one.id ?? SHARED) === id)
      const shared = id === SHARED ? undefined : saves.find(({ account }) => account === SHARED)
      const fromFile = givenByFile(file, id)
      const address = addressOf(file, newest, id)
      const merchant = account?.merchant
      // Payments that are under way are not left where another account goes on leading to them.
      const stays =
        id !== SHARED && resolved.some((one) => one !== account && one.merchant === merchant)
      const optionView = (option: OptionDescription) => {
        const { name, isSecret, isFileOnly, byDefault = null } = option
        const secret = save.secrets[name]
        const theirs = shared?.secrets[name]
        // A secret that all accounts share is sent to the address alone for which it was typed.
        const inherited = theirs?.sent_to === address ? theirs : undefined
        const given = {
          file: fromFile[name],
          stored: isSecret ? secret : save.options[name],
          shared: isSecret ? inherited : shared?.options[name],
        }
        const sources = ["file", "stored", "shared"] as const
        const source = sources.find((one) => given[one] != null) ?? "default"
        const shown = (value: unknown) => (isSecret ? null : (value as OptionValue | null))
        const unset = shown(given.shared ?? byDefault)
        const set = source === "file" ? undefined : (secret ?? inherited)
        return {
          name,
          section: option.section,
          kind: option.kind,
          choices: option.choices,
          is_secret: isSecret,
          is_locked: source === "file" || isFileOnly,
          is_required: option.isRequired,
          has_host: option.hasHost,
          source,
          value: shown(given.file ?? given.stored ?? unset),
          /** Its value while this account does not set it: that of all accounts, else the one that is built in. */
          by_default: unset,
          set_at: set?.at ?? null,
          set_by: set?.by_name ?? null,
          label: text("optionLabels", name),
          help: text("optionHelp", name),
        }
      }
      return {
        account: id,
        /** The version of all settings, because a save is judged with all others. */
        version: all.at(-1)?.version ?? 0,
        /** Null where "" is no account of its own. */
        is_complete: account ? account.options !== null : null,
        missing: account?.missing ?? [],
        can_be_asked: Boolean(account?.connection),
        in_flight: (!stays && merchant && inFlight.get(merchant)) || 0,
        options: OPTIONS.filter(({ isOfStore }) => id === SHARED || !isOfStore).map(optionView),
      }
    }),
    /** The last changes of options with their authors, the last one first. A name can be changed, an id cannot. */
    history: all
      .map((save, index) => {
        const { account, version, at, by, by_name } = save
        const before = all.slice(0, index).findLast((one) => one.account === account)
        return { account, version, at, by, by_name, changed: changedOptions(before, save) }
      })
      .slice(-MOST_HISTORY)
      .reverse(),
  }
}

const OptionName = z.string().min(1).max(100)
export const SettingsBody = z.strictObject({
  account: z.string().max(100),
  /** The version of all settings that the admin saw; 0 while nothing was saved. */
  version: z.number().int().min(0),
  /** Without secrets. An option that is left out is not set any more. */
  options: z.record(OptionName, z.unknown()).default({}),
  /** Secrets that were typed; null takes one away, and those that are left out stay. */
  secrets: z.record(OptionName, z.string().max(1_000).nullable()).default({}),
})

/**
 * Saves what an admin has set for an account. It holds for the next payment, on every instance within two seconds.
 *
 * @throws MedusaError `INVALID_DATA`, code `invalid_settings`, with `fields` in its facts: why each wrong option is refused
 * @throws MedusaError `NOT_ALLOWED` when somebody else has saved meanwhile, or payments would not be found any more
 */
export async function saveSettings(
  module: PaymentServiceModuleService,
  { account, version, options, secrets }: z.output<typeof SettingsBody>,
  admin: { id: string; name: string },
  accountIds: string[]
): Promise<void> {
  const { settings } = module
  const { list, file } = settings
  const keys = Keys.ofEnvironment()
  const known = [SHARED, ...file.accounts.keys(), ...accountIds]
  if (!known.includes(account)) throw refused("no_such_account", { account })
  const all = await list.all()
  const rows = newestOf(all)
  const last = all.at(-1)
  if ((last?.version ?? 0) !== version) throw changedBy(last)
  const before = rows.find((row) => row.account === account)
  const others = rows.filter((row) => row !== before)
  const fromFile = givenByFile(file, account)
  const wrong: Record<string, Text> = {}
  const refuse = (name: string, code: Code<"wrongSettings">) => {
    const form = text("optionHelp", name as OptionDescription["name"])
    wrong[name] = text("wrongSettings", code, { form })
  }
  // A secret goes to the address with which it was typed, and nowhere else: nobody is shown it.
  const address = addressOf(file, [...others, { account, options }], account)
  const sentTo = (name: string) => (SENT_SECRETS.includes(name) ? address : null)
  const kept: Record<string, unknown> = {}
  const sealed = new Map(Object.entries(before?.secrets ?? {}))
  for (const [name, { sent_to }] of sealed) {
    if (secrets[name] === undefined && sent_to !== sentTo(name)) refuse(name, "other_address")
  }
  for (const [name, value] of Object.entries({ ...options, ...secrets })) {
    const option = optionOf(account, name)
    const secret = secrets[name]
    if (!option || option.isSecret !== (secret !== undefined)) refuse(name, "not_an_option")
    else if (secret === null) sealed.delete(name)
    else {
      const read = option.schema.safeParse(value)
      if (!read.success) refuse(name, "other_form")
      if (name in fromFile) refuse(name, "set_in_file")
      const isBound = name === "baseUrl" && SENT_SECRETS.some((one) => one in fromFile)
      if (isBound) refuse(name, "secret_in_file")
      if (secret === undefined) kept[name] = read.data
      else if (!keys.canSeal) refuse(name, "no_key")
      else if (SENT_SECRETS.includes(name) && address === null) refuse(name, "no_address")
      else {
        const at = module.clock.now().toISOString()
        const text = keys.seal(placeOf(account, name), secret)
        sealed.set(name, { sealed: text, sent_to: sentTo(name), at, by_name: admin.name })
      }
    }
  }
  const saved = { account, options: kept, secrets: Object.fromEntries(sealed) }
  const present = settings.resolve(rows, keys)
  const next = settings.resolve([...others, saved], keys)
  if (!Object.keys(wrong).length) await requireSameMerchants(module, present, next, known)
  for (const { id, missing } of next.accounts) {
    const wasComplete = accountOf(present.accounts, id ?? SHARED)?.options
    const isMeant = account === SHARED || account === id
    for (const name of missing) {
      // An option that is only missing may be set later, but no account that takes payments is broken.
      if (name in wrong || !(wasComplete || (isMeant && name in kept))) continue
      refuse(name, SENT_SECRETS.includes(name) ? "other_address" : "other_form")
    }
  }
  if (Object.keys(wrong).length) {
    const said = text("settingsNotices", "invalid")
    const facts = { fields: wrong }
    throw new RefusedAction("invalid_settings", said, facts, MedusaError.Types.INVALID_DATA)
  }
  const changed = changedOptions(before, saved)
  if (!changed.length) return
  const { id: by, name } = admin
  const row = { ...saved, version: version + 1, by, by_name: name }
  const messages = text("settingsNotices", "changed", { name, options: changed.join(", ") })
  const event = { account, version: row.version, changed, by, message: messages.en, messages }
  if (!(await list.add(row, event))) throw changedBy((await list.all()).at(-1))
  settings.forget()
  // Payments wait that nobody could understand, and perhaps somebody can now.
  if (changed.some((name) => name.startsWith("statuses."))) {
    await module.dueTransactions.hintUnknownStatuses()
  }
}

const changedBy = (last: SettingsRow | undefined) =>
  refused("settings_changed", { name: last?.by_name ?? "" })

/** The names of the options that two saves of an account set otherwise. Sealed anew with another key, a secret is the same. */
const changedOptions = (before: Save | undefined, after: Save) =>
  OPTIONS.map(({ name }) => name).filter(
    (name) =>
      !isDeepStrictEqual(before?.options[name], after.options[name]) ||
      before?.secrets[name]?.at !== after.secrets[name]?.at
  )

/** An option that an account's settings may have: those of the store stand with what all accounts share. */
const optionOf = (account: string, name: string) =>
  OPTIONS.find(
    (option) =>
      option.name === name && !option.isFileOnly && (account === SHARED || !option.isOfStore)
  )

/** An admin must not lead payments or payouts elsewhere: once any was made, a provider's address and merchant change in the file. */
async function requireSameMerchants(
  { settings }: PaymentServiceModuleService,
  present: ResolvedOptions,
  next: ResolvedOptions,
  accountIds: string[]
): Promise<void> {
  const paid = await settings.list.paidAt()
  const merchantIn = ({ accounts }: ResolvedOptions, id: string) =>
    accountOf(accounts, id)?.merchant
  const isLeft = accountIds.some((id) => {
    const merchant = merchantIn(present, id)
    const by = paid.flatMap((one) => (one.merchant === merchant ? one.account : []))
    // An account that nobody has paid by may begin elsewhere, while the one that was paid by stays.
    const isNew = !by.includes(id) && by.some((account) => accountIds.includes(account))
    return by.length > 0 && !isNew && merchantIn(next, id) !== merchant
  })
  if (isLeft) throw refused("account_was_paid")
}

/** Seals all that is kept sealed with the first key: secrets, also of earlier saves, and what the store has made for itself. */
export async function reseal(module: PaymentServiceModuleService) {
  const { list } = module.settings
  const keys = Keys.ofEnvironment()
  const count = { sealed: 0, left: 0 }
  const sealedAnew = (place: string, value: string, opened: string | null) => {
    count[opened === null ? "left" : "sealed"]++
    return opened === null ? value : keys.seal(place, opened)
  }
  for (const { id, account, secrets } of await list.all()) {
    for (const [option, secret] of Object.entries(secrets)) {
      const place = placeOf(account, option)
      secret.sealed = sealedAnew(place, secret.sealed, keys.open(place, secret.sealed))
    }
    await module.updateSettings({ id, secrets: { ...secrets } })
  }
  for (const { id, value } of await module.listGeneratedKeys({})) {
    const place = id.replace("pskey_", "")
    const kept = keys.kept(place, value)
    await module.updateGeneratedKeys({ id, value: sealedAnew(place, value, kept) })
  }
  for (const { id, token } of await module.listCallbackTokens({ source: "generated" })) {
    if (!token) continue
    const kept = keys.kept(TOKEN_PLACE, token)
    await module.updateCallbackTokens({ id, token: sealedAnew(TOKEN_PLACE, token, kept) })
  }
  return count
}
