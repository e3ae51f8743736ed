import fc from "fast-check"
import { ArrayCutter } from "../../../src/service/array-cutter"

/** Undefined when the pieces are not one JSON array. */
function parsePieces(pieces: string[]): unknown[] | undefined {
  const cutter = new ArrayCutter()
  const elements: unknown[] = []
  try {
    for (const piece of pieces) {
      for (const element of cutter.cut(piece)) elements.push(JSON.parse(element))
    }
  } catch {
    return undefined
  }
  return cutter.isComplete ? elements : undefined
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

function piecesOf(text: string, cuts: number[]): string[] {
  const places = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].sort((a, b) => a - b)
  return [...places, text.length].map((to, index) => text.slice(places[index - 1] ?? 0, to))
}

const cuts = fc.array(fc.nat(), { maxLength: 20 })

it("cuts any array in any pieces into what JSON.parse finds in it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 4 })),
      fc.constantFrom(undefined, 1, "\t"),
      cuts,
      (values, indentation, places) => {
        const text = JSON.stringify(values, null, indentation)
        expect(parsePieces(piecesOf(text, places))).toEqual(JSON.parse(text))
      }
    )
  )
})

it("takes nothing for an array that JSON.parse refuses, and the other way round", () => {
  const parts = ["[", "]", "{", "}", ",", ":", '"', "\\", '"a"', "{}", "[]", "1", " ", "\n", "x"]
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...parts), { maxLength: 12 }),
      fc.constantFrom("]", "}]", " ] ", ""),
      cuts,
      (middle, end, places) => {
        const text = `[${middle.join("")}${end}`
        expect(parsePieces(piecesOf(text, places))).toEqual(parseWhole(text))
      }
    ),
    { numRuns: 5_000 }
  )
})

it("hands an object on as soon as its last bracket is there", () => {
  const cutter = new ArrayCutter()
  expect([...cutter.cut('[{"a":"}"')]).toEqual([])
  expect(cutter.uncutCharacters).toBe(8)
  expect([...cutter.cut("}")]).toEqual(['{"a":"}"}'])
  expect(cutter.uncutCharacters).toBe(0)
})
