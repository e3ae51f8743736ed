// Plain Node: ports are looked at before anything is installed.
import { freePort, isFree } from "../tests/free-port.cjs"

/** The port of each part; its variable changes it, and 0 takes any free port. */
const services = [
  { name: "medusa", variable: "PORT", usual: 9000, what: "the Medusa store" },
  { name: "storefront", variable: "STOREFRONT_PORT", usual: 8000, what: "the demo storefront" },
  { name: "simulator", variable: "SIMULATOR_PORT", usual: 7070, what: "the simulator" },
]

/**
 * @param {{ simulator: boolean }} needed
 * @returns {Promise<{ medusa: number, storefront: number, simulator: number }>} 0 for a storefront or a
 * simulator that takes any port and says which; the store has to know its own before it starts
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
    } else if (port > 0 && !(await isFree(port))) {
      problems.push(
        `Port ${port} is taken, and ${what} needs it. Stop what listens there, or choose ` +
          `another port: ${variable}=${port + 1} npm run demo`
      )
    } else {
      chosen[service.name] = port
      if (port > 0) takenBy.set(port, variable)
    }
  }
  if (problems.length > 0) throw new Error(problems.join("\n"))
  while (chosen.medusa === 0) {
    const port = await freePort()
    if (!takenBy.has(port)) chosen.medusa = port
  }
  return chosen
}
