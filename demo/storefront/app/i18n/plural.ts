type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string }

/** Picks the form of a noun that a language wants after a number. */
export function plural(language: string, forms: Forms): (count: number) => string {
  const rules = new Intl.PluralRules(language)
  return (count) => forms[rules.select(count)] ?? forms.other
}
