import { mkdir, writeFile } from "node:fs/promises"
import path from "node:path"

/**
 * Medusa's preferences for this user, with statistics off: even with MEDUSA_DISABLE_TELEMETRY every
 * command leaves a process behind that would send them.
 *
 * @returns what XDG_CONFIG_HOME has to be
 */
export async function medusaPreferences(folder: string): Promise<string> {
  const home = path.join(folder, "preferences")
  await mkdir(path.join(home, "medusa"), { recursive: true })
  const content = JSON.stringify({ telemetry: { enabled: false }, star: { prompted: true } })
  await writeFile(path.join(home, "medusa", "config.json"), content)
  return home
}
