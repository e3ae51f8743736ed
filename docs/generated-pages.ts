import { readFileSync } from "node:fs"
import { join } from "node:path"

import {
  adviceOf,
  closingOf,
  PROBLEM_KINDS,
  type ProblemKind,
} from "../src/problems/rules/problems"
import { type OptionDescription, type OptionKind, OPTIONS, SECTIONS } from "../src/settings/options"
import { text } from "../src/texts"

/** The pages that are made from the code, by their files in this folder. A test compares them with what is there. */
export const generatedPages = (): Record<string, string> => ({
  "options.md": optionsPage(),
  "problems.md": problemsPage(),
})

const MADE =
  "<!-- Made by npm run docs:generate. Edit docs/generated-pages.ts or the texts of src instead. -->"

const SECTION_TITLES: Record<(typeof SECTIONS)[number], string> = {
  service: "The service and the account",
  statuses: "Status names",
  storefront: "Pages of the storefront",
  checkout: "Checkout",
  lists: "Comparison, exports, subscriptions",
  limits: "Limits, payouts, retention",
}

const FORMS: Record<OptionKind, string> = {
  text: "text",
  number: "number",
  flag: "boolean",
  choice: "choice",
  list: "list",
  codes: "codes",
}

function optionsPage(): string {
  const sections = SECTIONS.map((section) => {
    const options = OPTIONS.filter((option) => option.section === section)
    return `## ${SECTION_TITLES[section]}\n\n${options.map(optionLine).join("\n")}`
  })
  return `# Options

${MADE}

This page lists every option of the plugin, for \`medusa-config.ts\` and for _Settings → SBP and crypto_ in the dashboard.

- A wrong option in the file stops the start, with a sentence that names it. A required option may be missing there; then the
  dashboard sets it.
- Each line has the option, its default or its form, and its meaning.
- Marks: **R** required, **S** belongs to the whole store and never to an account, **F** only the file sets it, **X** secret, kept sealed.
- _Codes_ are an object of numeric codes by label: \`{ Paid: "5" }\`.

## Several accounts

Write \`accounts: { main: {…}, second: {…} }\`, and one provider entry per account with its id. Options beside \`accounts\` are
shared by all accounts. An option of an account (for example \`statuses.paid\`) replaces the shared one.

${sections.join("\n\n")}

## Notes

- **Placeholders.** Ids of carts and orders are filled in nowhere, because Medusa's store API answers a customer's name for them.
- **\`storefronts\`** holds \`successUrl\`, \`failureUrl\`, \`pendingUrl\` and \`name\` by sales channel id, for more than one shop.
- **\`baseUrl\`** may be http on this machine. Outside production, it may also be in a private network, or at a name without a dot.
- **The payer id** is the customer's id, or for a guest a keyed digest of the e-mail address.
- **\`creationLimits\`**: refused and unanswered creations do not count, and an open payment is resumed.
- **Environment.** \`PAYMENT_SERVICE_ENCRYPTION_KEY\` is no option: see [operations](operations.md#the-encryption-key).
`
}

function optionLine(option: OptionDescription): string {
  const { name, isRequired, isOfStore, isFileOnly, isSecret } = option
  const marks = [isRequired && "R", isOfStore && "S", isFileOnly && "F", isSecret && "X"]
  const mark = marks.filter(Boolean).join("")
  // The file has lists where the form has lines, and the line begins with a flag's or a number's default.
  const help = text("optionHelp", name)
    .en.replace(/, one on a line/g, "")
    .replace(/^(?:true or false: |a whole number:? )/, "")
  const what = `\`${name}\`${mark && ` **${mark}**`} ${defaultOrForm(option)}`
  const label = SAYS_FORM_ONLY.test(help) ? `${text("optionLabels", name).en}, ` : ""
  return wrapped(`- ${what}: ${label}${help}.`)
}

/** A help that does not say what the option is: in the form, the field's name stands above it. */
const SAYS_FORM_ONLY = /^(?:milliseconds|from \d|whole rubles|a time zone|the ids|"en")/

function defaultOrForm({ byDefault, kind }: OptionDescription): string {
  const isEmpty =
    byDefault === undefined ||
    (typeof byDefault === "object" && Object.keys(byDefault ?? {}).length === 0)
  return isEmpty ? `(${kind ? FORMS[kind] : "object"})` : `(\`${JSON.stringify(byDefault)}\`)`
}

/** The comment of each kind in the catalogue says what it is in general, which no text of the dashboard says. */
function commentsOfKinds() {
  const code = readFileSync(join(__dirname, "../src/problems/rules/problems.ts"), "utf8")
  const found = code.matchAll(/\/\*\*((?:(?!\*\/)[^])*)\*\/\s+(\w+): (?:ofRow|entry)\b/g)
  const comments = new Map([...found].map(([, lines = "", kind]) => [kind, lines]))
  return (kind: ProblemKind): string => {
    const lines = comments.get(kind)
    if (!lines) throw new Error(`The catalogue has no comment for ${kind}`)
    return lines.replaceAll(/\s+(?:\* )?/g, " ").trim()
  }
}

function problemsPage(): string {
  const commentOf = commentsOfKinds()
  const kinds = PROBLEM_KINDS.map((kind) => {
    const closes = closingOf(kind)?.en.replace("by itself when", "when")
    const lines = [`**Do:** ${adviceOf(kind)?.en}`, ...(closes ? [closes] : [])]
    return `### ${text("problemKinds", kind).en}

${wrapped(`\`${kind}\`. ${commentOf(kind)}`)}

${lines.map((line) => wrapped(`- ${line}`)).join("\n")}`
  })
  return `# Problems

${MADE}

This page is the runbook for _SBP and crypto → Problems_: what happened, what to do, and when a problem closes by itself.

A problem is money or an order that a person must look at. Most faults never become one, because reads and orders are tried again
first. There is one problem per cause, however often it is seen. Its notification is in the language of the option
\`language\`.

## What the actions do

- _Try again_: the service is asked again, and Medusa follows its answer. For an unknown status, the 20 oldest payments are asked for.
- _Place the order_: the payment is taken for the cart as it is now. The rest stays owed.
- _Accept the amount_: the paid sum is taken instead of the one asked for. The order shows the difference.
- _Take this payment_: the payment replaces a promised one, for example on delivery, which is canceled.
- _Take for this order_: an order without a link to its cart becomes the cart's order and takes the payment.
- _Cancel it and place anew_: that order is canceled. If the cart was paid, another order is placed from it.
- _Pay out_: a [payout](payouts.md) pays the money back in whole rubles, and Medusa books it.
- _Refunded outside_: you state that the money went back another way. Medusa books the refund if it holds the payment.
- _Mark as handled_: the problem closes. Money that no order took is left alone from then on.

An action is refused when a sum that the page showed has changed since.

## The kinds

${kinds.join("\n\n")}
`
}

const WIDEST = 120

/** Broken into lines, those of a list's item below its first one. */
function wrapped(paragraph: string): string {
  const indent = paragraph.startsWith("- ") ? "  " : ""
  const lines: string[] = []
  for (const word of paragraph.split(" ")) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length < WIDEST) {
      lines[lines.length - 1] = `${last} ${word}`
    } else lines.push(lines.length > 0 ? indent + word : word)
  }
  return lines.join("\n")
}
