import { spawn } from "node:child_process"
import { once } from "node:events"
import path from "node:path"
import { createInterface } from "node:readline"

const program = process.env.REDIS_SERVER_PATH

/**
 * `describe` for tests with a real Redis. Without one they are skipped, except on CI, where a test that
 * silently does not run is worth nothing.
 */
export const describeWithRedis = program ? describe : describeWithoutRedis()

function describeWithoutRedis(): jest.Describe {
  if (/^(1|true)$/i.test(process.env.CI ?? "")) {
    throw new Error("CI=true, and there is no Redis for the tests with several instances.")
  }
  return describe.skip
}

interface RunningRedis {
  url: string
  stop: () => Promise<void>
}

/** An empty Redis on a free port of this machine. It ends with this process at the latest. */
export async function startRedis(): Promise<RunningRedis> {
  if (!program) throw new Error("Run tests with Redis by npm test or npm run test:one.")
  const server = spawn(process.execPath, [path.join(__dirname, "server.mjs"), program], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const ended = once(server, "exit")
  for await (const line of createInterface(server.stdout)) {
    const { port, error } = JSON.parse(line) as { port?: number; error?: string }
    if (!port) throw new Error(error ?? "Redis gave no port.")
    return {
      url: `redis://127.0.0.1:${port}`,
      stop: async () => {
        server.stdin.end()
        await ended
      },
    }
  }
  throw new Error("Redis ended before it was ready.")
}
