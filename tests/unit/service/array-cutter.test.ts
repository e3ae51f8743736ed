import fc from "fast-check"
import { ArrayCutter } from "../../../src/service/array-cutter"

/** Undefined when the pieces are not one JSON array. */
function parsePieces(pieces: Buffer[]): unknown[] | undefined {
  const cutter = new ArrayCutter()
  const elements = pieces.flatMap((piece) => cutter.cut(piece))
  return cutter.isComplete() ? elements : undefined
}

function parseWhole(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

/** Cut between any two bytes, in the middle of a letter too. */
function piecesOf(bytes: Buffer, cuts: number[]): Buffer[] {
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...places, bytes.length].map((to, index) => bytes.subarray(places[index - 1] ?? 0, to))
}

const cuts = fc.array(fc.nat(), { maxLength: 20 })

it("cuts any array in any pieces into what JSON.parse finds in it", () => {
  fc.assert(
    fc.property(
      fc.array(fc.jsonValue({ maxDepth: 4, stringUnit: "grapheme" })),
      fc.constantFrom(undefined, 1, "\t"),
      cuts,
      (values, indentation, places) => {
        const text = JSON.stringify(values, null, indentation)
        expect(parsePieces(piecesOf(Buffer.from(text), places))).toEqual(JSON.parse(text))
      }
    )
  )
})

it("finds where strings end that are full of quotes and backslashes", () => {
  const text = fc.string({ unit: fc.constantFrom("\\", '"', "a") })
  fc.assert(
    fc.property(fc.array(fc.oneof(text, fc.dictionary(text, text))), cuts, (values, places) => {
      const bytes = Buffer.from(JSON.stringify(values))
      expect(parsePieces(piecesOf(bytes, places))).toEqual(values)
    }),
    { numRuns: 1_000 }
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
        expect(parsePieces(piecesOf(Buffer.from(text), places))).toEqual(parseWhole(text))
      }
    ),
    { numRuns: 5_000 }
  )
})

it("finds the same elements before what is not JSON, in whatever pieces it comes", () => {
  const parts = ["{}", '{"a":[1,{"b":"}"}]}', ",", " ", "1", "[]", "]", "}", "{", '"\\"', "x"]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 12 }), cuts, (middle, places) => {
      const text = `[${middle.join("")}]`
      const everywhere = Array.from({ length: text.length }, (_, at) => at)
      const [whole, inPieces, bytewise] = [[], places, everywhere].map((at) => {
        const cutter = new ArrayCutter()
        return piecesOf(Buffer.from(text), at).flatMap((piece) => cutter.cut(piece))
      })
      expect(whole).toEqual(bytewise)
      expect(inPieces).toEqual(bytewise)
    }),
    { numRuns: 2_000 }
  )
})

it("reads bytes that are no text as a decoder of the whole would, cut wherever", () => {
  const parts = [
    [0xd0],
    [0xd0, 0x96],
    [0xf0, 0x9f, 0x98],
    [0x80],
    [0xff],
    [0xef, 0xbb, 0xbf],
    [0x61],
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...parts), { maxLength: 8 }), cuts, (middle, places) => {
      const inString = Buffer.concat([
        Buffer.from('[{"a":"'),
        Buffer.from(middle.flat()),
        Buffer.from('"}]'),
      ])
      const [found] = parsePieces(piecesOf(inString, places)) ?? []
      expect(found).toEqual((JSON.parse(new TextDecoder().decode(inString)) as unknown[])[0])
      for (const text of ["[{}", "[1", "[{}]", "["]) {
        const outside = Buffer.concat([
          Buffer.from(text),
          Buffer.from(middle.flat()),
          Buffer.from("]"),
        ])
        if (middle.length) expect(parsePieces(piecesOf(outside, places))).toBeUndefined()
      }
    }),
    { numRuns: 2_000 }
  )
})

it("ends in order only when nothing but white space comes after the array", () => {
  const cutter = new ArrayCutter()
  cutter.cut(Buffer.from("[{}] \n"))
  expect(cutter.isComplete()).toBe(true)
  const followed = new ArrayCutter()
  followed.cut(Buffer.concat([Buffer.from("[{}]"), Buffer.of(0xd0)]))
  expect(followed.isComplete()).toBe(false)
})

it("reads an object as soon as its last bracket is there", () => {
  const cutter = new ArrayCutter()
  expect(cutter.cut(Buffer.from('[{"a":"}"'))).toEqual([])
  expect(cutter.uncutCharacters).toBe(9)
  expect(cutter.cut(Buffer.from("}"))).toEqual([{ a: "}" }])
  expect(cutter.uncutCharacters).toBe(0)
})
