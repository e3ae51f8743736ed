// CommonJS in plain Node, because the demo looks at ports before anything is installed.
const { randomInt } = require("node:crypto")
const { createServer } = require("node:net")

/**
 * Linux, macOS and Windows give the ports above to whoever asks for any port, and to every outgoing
 * connection: one of those can be taken in the seconds that a store needs to start. One of these is
 * taken only by a program that asks for this very number.
 */
const [lowest, highest] = [15_000, 32_000]
const attempts = 100

/** A port for a program that has to be told its port: nobody listens there, nor is given it by chance. */
async function freePort() {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const port = randomInt(lowest, highest)
    if (await isFree(port)) return port
  }
  throw new Error(`There is no free port among ${attempts} between ${lowest} and ${highest}.`)
}

/** Whether nobody listens on this port, on whichever address of this machine. */
async function isFree(port) {
  // A program that listens on one address only does not always get in the way of one on all of them.
  for (const host of [undefined, "127.0.0.1", "::1"]) {
    if (!(await canListen(port, host))) return false
  }
  return true
}

function canListen(port, host) {
  return new Promise((resolve) => {
    const server = createServer()
    server.once("error", ({ code }) => {
      // This machine does not have the address.
      resolve(code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT")
    })
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)))
  })
}

module.exports = { freePort, isFree }
