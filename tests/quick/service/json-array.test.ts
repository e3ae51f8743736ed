import fc from "fast-check"
import { elementsOf } from "../../../src/service/export"
import { collect } from "./scripted-service"

// Promise 13: no record of the service's list is missed, wherever its answer is cut into pieces.
it("elements are those of JSON.parse, wherever the text is cut", async () => {
  const element = fc.oneof(
    fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 })),
    fc.record({ text: fc.constantFrom('},{"', "\\", '"]', "[{", "") }),
    fc.jsonValue({ maxDepth: 1 })
  )
  const cuts = fc.array(fc.nat(200), { maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(fc.array(element), cuts, fc.boolean(), async (array, cuts, isSpaced) => {
      const text = JSON.stringify(array, undefined, isSpaced ? 1 : undefined)
      const found = (await collect(elementsOf(cutAt(text, cuts)))).flat()
      expect(found).toEqual(JSON.parse(text))
    }),
    { numRuns: 500 }
  )
})

async function* cutAt(text: string, cuts: number[]) {
  const places = [...cuts, text.length].map((cut) => Math.min(cut, text.length))
  let from = 0
  for (const to of places.toSorted((one, other) => one - other)) {
    yield text.slice(from, to)
    from = to
  }
}
