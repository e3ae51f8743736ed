// `npm run docs:generate`: writes the pages that are made from the code (`generated-pages.ts`).
import { writeFileSync } from "node:fs"
import { loadTypeScript } from "../tests/load-typescript.mjs"

const { generatedPages } = await loadTypeScript("docs/generated-pages.ts", 130)
for (const [file, text] of Object.entries(generatedPages())) {
  writeFileSync(new URL(file, import.meta.url), text)
  console.log(`docs/${file}`)
}
