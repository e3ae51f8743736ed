/** Records as a JSON array, each on a line of its own. */
export async function* jsonFile(batches: AsyncIterable<unknown[]>) {
  let before = "["
  for await (const records of batches) {
    if (!records.length) continue
    yield Buffer.from(before + records.map((record) => JSON.stringify(record)).join(",\n"))
    before = ",\n"
  }
  yield Buffer.from(before === "[" ? "[]" : "]")
}
