import { networkOf } from "../../../src/settings/keys"

it.each([
  ["203.0.113.7", "203.0.113.7"],
  ["::ffff:203.0.113.7", "203.0.113.7"],
  ["::FFFF:203.0.113.7", "203.0.113.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
  ["2001:DB8:1:2::6", "2001:db8:1:2"],
  ["2001:db8::6", "2001:db8"],
])("%s is one payer's as %s", (address, network) => {
  expect(networkOf(address)).toBe(network)
})
