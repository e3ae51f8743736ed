import { findProgram, installDebianPackage } from "./debian-package.mjs"

/** Path of the server for the tests with Redis: REDIS_SERVER_PATH, else the one on the PATH. */
export function findRedis() {
  return process.env.REDIS_SERVER_PATH || findProgram(["redis-server"])
}

/**
 * Redis, installed from Debian's packages when there is none and we are allowed to.
 *
 * @param {(message: string) => void} report
 * @param {AbortSignal} signal stops apt-get
 */
export async function provideRedis(report, signal) {
  const found = findRedis()
  if (found) return found
  const installed = await installDebianPackage(
    "redis-server",
    "the tests with Redis",
    report,
    signal
  )
  return installed ? findRedis() : undefined
}
