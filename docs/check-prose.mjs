// `node docs/check-prose.mjs`: says where the documents are longer or harder to read than they may be. A quick test runs it.
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { fileURLToPath } from "node:url"

const MOST_WORDS = 16_000
const MOST_OF_README = 10 * 1024
const MOST_IN_SENTENCE = 40
const MOST_ON_AVERAGE = 16
const MOST_IN_CELL = 25
const LONGEST_LINE = 200

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const NOT_OURS = new Set(["node_modules", ".git", ".medusa", "dist", "public", ".cache"])

function pagesIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) return NOT_OURS.has(entry.name) ? [] : pagesIn(path)
    return entry.name.endsWith(".md") ? [relative(root, path)] : []
  })
}

const read = (page) => readFileSync(join(root, page), "utf8")
const countWords = (text) => text.split(/\s+/).filter(Boolean).length
const isRow = (line) => line.trimStart().startsWith("|")

/** A page without code and comments; code within a line counts as one word. */
const withoutCode = (page) =>
  page
    .replace(/^( *)```[^]*?^\1```$/gm, "")
    .replace(/<!--[^]*?-->/g, "")
    .replace(/`[^`]+`/g, "code")
    .replace(/\]\([^)]*\)/g, "]")

/** Paragraphs, headings and items of lists. */
const blocksOf = (text) =>
  text
    .split("\n")
    .map((line) => (isRow(line) ? "" : line))
    .join("\n")
    .split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.)\s)|(?<=^#.*)\n/m)
    .map((block) => block.replace(/^\s*(?:[-*]|\d+\.)\s+|^#+\s/, "").trim())
    .filter((block) => /[\p{L}]/u.test(block))

const sentencesOf = (text) =>
  blocksOf(text).flatMap((block) => block.split(/(?<=[.!?][)*_"”»]*)\s+(?=[^\p{Ll}\s])/u))

/** As GitHub names the anchors of headings. */
const anchorsOf = (page) =>
  new Set(
    page
      .replace(/^```[^]*?^```$/gm, "")
      .split("\n")
      .filter((line) => /^#+ /.test(line))
      .map((line) =>
        line
          .replace(/^#+ /, "")
          .toLowerCase()
          .replace(/[^\p{L}\p{N}\s_-]/gu, "")
          .trim()
          .replace(/\s/g, "-")
      )
  )

const complaints = []
const complain = (page, what) => complaints.push(`${page}: ${what}`)

const pages = pagesIn(root).sort()
let words = 0
for (const page of pages) {
  const text = read(page)
  if (!page.endsWith(".ru.md")) words += countWords(text)
  text.split("\n").forEach((line, index) => {
    if (line.length > LONGEST_LINE && !isRow(line)) {
      complain(page, `line ${index + 1} has ${line.length} characters`)
    }
  })
  const prose = withoutCode(text)
  for (const cell of prose
    .split("\n")
    .filter(isRow)
    .flatMap((row) => row.split("|"))) {
    if (countWords(cell) > MOST_IN_CELL) {
      complain(page, `a cell of ${countWords(cell)} words: ${cell.trim().slice(0, 60)}…`)
    }
  }
  const lengths = sentencesOf(prose).map((sentence) => {
    const length = countWords(sentence)
    if (length > MOST_IN_SENTENCE) {
      complain(page, `a sentence of ${length} words: ${sentence.slice(0, 60).replace(/\n/g, " ")}…`)
    }
    return length
  })
  const average = lengths.reduce((sum, length) => sum + length, 0) / lengths.length
  if (average > MOST_ON_AVERAGE) complain(page, `${average.toFixed(1)} words a sentence on average`)

  for (const [, target = ""] of text.matchAll(/\]\((?![a-z]+:)([^)\s]+)\)/g)) {
    const [file = "", anchor] = target.split("#")
    const path = file ? join(dirname(page), file) : page
    if (!existsSync(join(root, path))) complain(page, `a link to ${file}, which is not there`)
    else if (anchor && !anchorsOf(read(path)).has(anchor)) complain(page, `no anchor ${target}`)
  }
}

if (words > MOST_WORDS) complain("all pages", `${words} words`)
for (const [page, size] of [
  ["README.md", Buffer.byteLength(read("README.md"))],
  // A Cyrillic letter takes two bytes.
  ["README.ru.md", read("README.ru.md").length],
]) {
  if (size > MOST_OF_README) complain(page, `${size} of at most ${MOST_OF_README}`)
}
if (process.argv.includes("--words")) {
  for (const page of pages) console.log(String(countWords(read(page))).padStart(6), page)
}
console.log(`${words} English words in ${pages.length} pages.`)
for (const complaint of complaints) console.log(complaint)
process.exitCode = complaints.length > 0 ? 1 : 0
