import { rmSync } from "node:fs"

export default async function teardown(): Promise<void> {
  await globalThis.runningPostgres?.stop()
  globalThis.runningPostgres = undefined
  const folder = process.env.TEST_RUN_FOLDER
  if (folder) rmSync(folder, { recursive: true, force: true })
  delete process.env.TEST_RUN_FOLDER
}
