import { OPTIONS } from "../../../src/settings/options"
import en from "../../../src/settings/texts.en.json"
import ru from "../../../src/settings/texts.ru.json"

const names = OPTIONS.map(({ name }) => name as string).sort()

it.each([
  ["en", en],
  ["ru", ru],
])("every option has its two texts, and no other one has, in %s (promise 21)", (_, texts) => {
  for (const group of [texts.optionLabels, texts.optionHelp]) {
    expect(Object.keys(group).sort()).toEqual(names)
    expect(Object.values(group).every((text) => text.trim().length > 1)).toBe(true)
  }
})

it("every secret is sealed, and what could rob the store is the file's alone (promise 22)", () => {
  const namesOf = (which: (typeof OPTIONS)[number][]) => which.map(({ name }) => name)
  expect(namesOf(OPTIONS.filter(({ isSecret }) => isSecret))).toEqual([
    "callbackToken",
    "secret",
    "signingSecret",
  ])
  expect(namesOf(OPTIONS.filter(({ isFileOnly }) => isFileOnly))).toEqual([
    "callbackToken",
    ...["enabled", "approval", "perPayout", "perDay", "timeZone", "users"].map(
      (option) => `payouts.${option}`
    ),
    "storefronts",
  ])
})

it("what leads payers or files elsewhere shows its host before it is saved (promise 22)", () => {
  expect(OPTIONS.flatMap(({ name, hasHost }) => (hasHost ? name : []))).toEqual([
    ...["backendUrl", "successUrl", "failureUrl", "pendingUrl", "export.linkHosts"],
  ])
})
