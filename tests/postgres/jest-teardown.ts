export default async function teardown(): Promise<void> {
  await globalThis.runningPostgres?.stop()
  globalThis.runningPostgres = undefined
}
