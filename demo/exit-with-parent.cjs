// Loaded into the Medusa processes of the demo. The channel to the demo closes when the demo ends,
// also when it was killed and could not stop anything.
const patience = 5000

process.on("disconnect", () => process.kill(process.pid, "SIGTERM"))
// Listening alone would keep a finished command from ending.
process.channel?.unref()

process.once("SIGTERM", () => {
  // Commands such as db:migrate leave the signal to Node, whose answer our listening has replaced.
  if (process.listenerCount("SIGTERM") === 0) process.exit(143)
  // The store ends in its own time, which can be never: it waits for requests nobody answers any more.
  setTimeout(() => process.exit(0), patience).unref()
})
