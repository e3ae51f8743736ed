import { existsSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"

import { hasText, text } from "../../src/texts"

const SRC = join(__dirname, "../../src")
type Texts = Record<string, Record<string, string>>

/** The texts of a language, a list for each name: a text with a number has one for each form of its noun. */
function textsOf(language: "en" | "ru"): Map<string, string[]> {
  const found = new Map<string, string[]>()
  const files = readdirSync(SRC).map((feature) => join(SRC, feature, `texts.${language}.json`))
  for (const file of files.filter((path) => existsSync(path))) {
    const sections = JSON.parse(readFileSync(file, "utf8")) as Texts
    for (const [section, texts] of Object.entries(sections)) {
      for (const [name, said] of Object.entries(texts)) {
        const isForm = /_(few|many)$/.test(name) || name.replace(/_other$/, "_one") in texts
        const key = `${section}.${isForm ? name.replace(/_(one|few|many|other)$/, "") : name}`
        found.set(key, [...(found.get(key) ?? []), said])
      }
    }
  }
  return found
}

const [EN, RU] = [textsOf("en"), textsOf("ru")]
const factsIn = (said: string) => [...new Set(said.match(/\{\{[^}]+\}\}/g))].sort()

describe("the texts of the server", () => {
  it("have the same names in both languages (promise 21)", () => {
    expect([...RU.keys()].sort()).toEqual([...EN.keys()].sort())
  })

  it.each([...EN])(
    "%s names the same facts in both languages, in formats that exist",
    (name, en) => {
      const [facts = "", ...others] = [...en, ...(RU.get(name) ?? [])].map((said) =>
        factsIn(said).join()
      )
      // English names the amount that a request must confirm; Russian is only read.
      if (name !== "refusedActions.other_cart_total") {
        for (const other of others) expect(other).toBe(facts)
      }
      expect(facts).toMatch(/^(\{\{\w+(, (money|rubles|time|day|number|short))?\}\},?)*$/)
    }
  )

  it.each([...EN.keys()].filter((name) => /^(refusedActions|notFound|answers)\./.test(name)))(
    "%s is a sentence, or a part of one, in its own language",
    (name) => {
      for (const said of EN.get(name) ?? []) expect(said).toMatch(/^[^а-яё]+$/i)
      for (const said of RU.get(name) ?? []) expect(said).toMatch(/[а-яё]/i)
    }
  )

  it("take every fact for text: none is read as a name, a setting or another text", () => {
    const evil = "{{now, money}} $t(answers.try_again) $& _other"
    const facts = { id: evil, lng: "ru", defaultValue: "no", count: 5, context: "x" }
    expect(text("notFound", "no_problem", facts).en).toBe(
      `There is no problem ${evil} in this store.`
    )
    expect(text("notFound", "no_such_thing" as never).en).toBe("no_such_thing")
    expect(hasText("notFound", "toString")).toBe(false)
  })
})
