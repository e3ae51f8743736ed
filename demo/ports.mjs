// Plain Node: ports are looked at before anything is installed.
import { createServer } from "node:net"

/** What listens where; the variable changes it, 0 takes any free port. */
const services = [
  { name: "medusa", variable: "PORT", usual: 9000, what: "the Medusa store" },
  { name: "storefront", variable: "STOREFRONT_PORT", usual: 8000, what: "the demo storefront" },
  { name: "simulator", variable: "SIMULATOR_PORT", usual: 7070, what: "the simulator" },
]

/**
 * @param {{ simulator: boolean }} needed
 * @returns {Promise<{ medusa: number, storefront: number, simulator: number }>}
 * @throws Error with a sentence for each port that cannot be had
 */
export async function choosePorts({ simulator }) {
  const chosen = { medusa: 0, storefront: 0, simulator: 0 }
  const problems = []
  const takenBy = new Map()
  for (const service of services) {
    if (service.name === "simulator" && !simulator) continue
    const { variable, usual, what } = service
    const value = process.env[variable]?.trim() || String(usual)
    const port = /^\d{1,5}$/.test(value) ? Number(value) : -1
    const twin = port > 0 && takenBy.get(port)
    if (port < 0 || port > 65535) {
      problems.push(`${variable}=${value} is not a port: it must be a number up to 65535.`)
    } else if (twin) {
      problems.push(
        `Port ${port} is asked for twice, by ${twin} and ${variable}; change one of them.`
      )
    } else {
      const free = await freePort(port)
      if (free === undefined) {
        problems.push(
          `Port ${port} is taken, and ${what} needs it. Stop what listens there, or choose ` +
            `another port: ${variable}=${port + 1} npm run demo`
        )
      } else {
        chosen[service.name] = free
        takenBy.set(free, variable)
      }
    }
  }
  if (problems.length > 0) throw new Error(problems.join("\n"))
  return chosen
}

/** The port itself (for 0 any free one), or undefined when something listens there. */
async function freePort(port) {
  let found = port
  // A program that listens on one address only does not always get in the way of one on all of them.
  for (const host of [undefined, "127.0.0.1", "::1"]) {
    const listened = await listen(found, host)
    if (listened === undefined) return undefined
    if (listened > 0) found = listened
  }
  return found
}

/** The port listened on; 0 when this machine does not have the address; undefined when it is taken. */
function listen(port, host) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", ({ code }) => {
      resolve(code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT" ? 0 : undefined)
    })
    server.listen({ port, host, exclusive: true }, () => {
      const { port: listened } = server.address()
      server.close(() => resolve(listened))
    })
  })
}
