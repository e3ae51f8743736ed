import { digestKey, digestsOf, isComparable } from "../../../src/values/digests"
import { Keys } from "../../../src/settings/keys"

const ONE = "a-first-key-of-thirty-two-letters"
const TWO = "a-second-key-of-thirty-two-letter"
const NUMBER = "4000001234567899"

describe("a digest with a key (promise 17)", () => {
  const keys = [digestKey(ONE, "card"), digestKey(TWO, "card")]

  it("names its key, and is the same for the same content alone", () => {
    const [digest = "", other = ""] = digestsOf(keys, "pspo_1", NUMBER)
    expect(digest).toMatch(/^[0-9a-f]{8}_[0-9a-f]{32}$/)
    expect(digestsOf(keys, "pspo_1", NUMBER)).toEqual([digest, other])
    for (const content of [
      ["pspo_2", NUMBER],
      ["pspo_1", "4000001234567881"],
      [`pspo_1${NUMBER}`],
      [NUMBER, "pspo_1"],
    ]) {
      expect(digestsOf(keys, ...content)[0]).not.toBe(digest)
    }
    expect(digest.slice(0, 8)).not.toBe(other.slice(0, 8))
    expect(digestsOf([digestKey(ONE, "payer")], "pspo_1", NUMBER)).not.toContain(digest)
  })

  it("can be compared as long as its key is among those that are given", () => {
    const [, digest = ""] = digestsOf(keys, NUMBER)
    expect(isComparable(digest, keys)).toBe(true)
    expect(isComparable(digest, [digestKey(ONE, "card")])).toBe(false)
    expect(isComparable(digest, [digestKey(TWO, "payer")])).toBe(false)
    expect(isComparable(null, keys)).toBe(false)
  })
})

describe("the keys of the environment", () => {
  it("make digests with the first one, and compare with all and with those that were used before", () => {
    const made = digestsOf(new Keys(`${ONE}, ${TWO}`).of("card", ["signing"]), NUMBER)
    expect(made).toHaveLength(3)
    expect(digestsOf(new Keys(ONE).of("card"), NUMBER)).toEqual([made[0]])
    expect(digestsOf(new Keys(`${TWO},${ONE}`).of("card"), NUMBER)).toEqual([made[1], made[0]])
    expect(digestsOf(new Keys(undefined).of("card", ["signing"]), NUMBER)).toEqual([made[2]])
    expect(new Keys("").of("payer")).toEqual([])
  })

  it("are refused when somebody could try them out, without being shown", () => {
    expect(() => new Keys(`${ONE},short-canary`)).toThrow(
      /PAYMENT_SERVICE_ENCRYPTION_KEY must have 32 characters at least in each of its keys$/
    )
  })
})
