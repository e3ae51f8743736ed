import { createHash, randomBytes, randomUUID } from "node:crypto"
import { once } from "node:events"
import { chmod, lstat, mkdir, readFile, rm, writeFile } from "node:fs/promises"
import { connect, createServer } from "node:net"
import path from "node:path"
import { temporaryFolder } from "../tests/postgres"

/** Made once per folder and kept, so that a second start finds the same shop at the same addresses. */
export type DemoSecrets = {
  databasePassword: string
  adminPassword: string
  secondAdminPassword: string
  jwtSecret: string
  cookieSecret: string
  callbackToken: string
  merchantId: string
  merchantSecret: string
  signingSecret: string
  encryptionKey: string
}

const projectRoot = path.dirname(__dirname)

/** The folder of this copy of the project, else the one named by `DEMO_DATA_FOLDER`; an empty shop has one of its own. */
export async function openDataFolder({ empty }: { empty: boolean }): Promise<string> {
  const copy = createHash("sha256").update(projectRoot).digest("hex").slice(0, 10)
  const folder =
    process.env.DEMO_DATA_FOLDER ||
    path.join(
      await temporaryFolder(),
      `medusa-payment-sbp-crypto-demo-${copy}${empty ? "-empty" : ""}`
    )
  await mkdir(folder, { recursive: true })
  const found = await lstat(folder)
  const foreign = process.getuid !== undefined && found.uid !== process.getuid()
  if (foreign || !found.isDirectory()) {
    throw new Error(`${folder} belongs to somebody else; the demo keeps its data there.`)
  }
  // Enterable for the user that Postgres runs as; what is secret in it is closed by itself.
  await chmod(folder, 0o755)
  return folder
}

/**
 * Makes sure that only one demo uses the folder. A socket and not a file with a process id, because
 * the system takes it from a process that was killed.
 */
export async function lockDataFolder(folder: string): Promise<() => void> {
  const address =
    process.platform === "win32"
      ? `\\\\.\\pipe\\${path.basename(folder)}`
      : path.join(folder, "running")
  if (await answers(address)) {
    throw new Error(
      "The demo of this folder is running already. Stop it first (Ctrl-C where it runs)."
    )
  }
  if (process.platform !== "win32") await rm(address, { force: true })
  const server = createServer((socket) => socket.destroy())
  server.listen(address)
  await once(server, "listening")
  server.unref()
  return () => server.close()
}

function answers(address: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(address)
    socket.once("connect", () => {
      socket.destroy()
      resolve(true)
    })
    socket.once("error", () => resolve(false))
  })
}

/** The secrets of the folder; those that are missing are made. */
export async function secretsOf(folder: string): Promise<DemoSecrets> {
  const file = path.join(folder, "secrets.json")
  const kept = await readFile(file, "utf8").then(
    (text) => JSON.parse(text) as Partial<DemoSecrets>,
    () => ({})
  )
  const token = (bytes: number) => randomBytes(bytes).toString("base64url")
  const secrets: DemoSecrets = {
    databasePassword: randomBytes(12).toString("hex"),
    adminPassword: token(9),
    secondAdminPassword: token(9),
    jwtSecret: token(24),
    cookieSecret: token(24),
    callbackToken: token(24),
    merchantId: randomUUID(),
    merchantSecret: token(24),
    signingSecret: token(24),
    encryptionKey: token(32),
    ...kept,
  }
  await writeFile(file, `${JSON.stringify(secrets, null, 2)}\n`, { mode: 0o600 })
  return secrets
}
