// Loaded into the Medusa processes of the demo. The channel to the demo closes when the demo ends,
// also when it was killed and could not stop anything.
const patience = 5000

process.on("disconnect", () => process.kill(process.pid, "SIGTERM"))
// Listening alone would keep a finished command from ending.
process.channel?.unref()

// Medusa ends in its own time, which can be never: it waits for requests that nobody answers any more.
process.once("SIGTERM", () => setTimeout(() => process.exit(0), patience).unref())
