import { isIPv6 } from "node:net"

/**
 * The part of an IP address that identifies a payer: an IPv4 address, or the first half of an IPv6 address, because a machine may
 * change the second half at any time.
 *
 * @param address an address that `net.isIP` accepts
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address)
  if (!isIPv6(plain)) return plain
  const [head = "", tail] = plain.split("%")[0]?.split("::") ?? []
  const before = head ? head.split(":") : []
  const after = tail ? tail.split(":") : []
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: missing }, () => "0"), ...after]
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(":")
}

/** The address as people write it: a socket for both versions shows an IPv4 address as `::ffff:203.0.113.7`. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)?.[1] ?? address
}
