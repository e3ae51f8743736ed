import { isIPv6 } from "node:net"

/**
 * The part of an IP address that identifies a payer: an IPv4 address, or the first half of an IPv6 address, because a machine may
 * change the second half at any time.
 *
 * @param address an address that `net.isIP` accepts
 */
export function networkOf(address: string): string {
  if (!isIPv6(address)) {
    return address
  }
  const mapped = /^::ffff:(\d+(?:\.\d+){3})$/i.exec(address)
  if (mapped?.[1]) {
    return mapped[1]
  }
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? []
  const before = head ? head.split(":") : []
  const after = tail ? tail.split(":") : []
  const missing = tail === undefined ? 0 : 8 - before.length - after.length
  const groups = [...before, ...Array.from({ length: missing }, () => "0"), ...after]
  return groups
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(":")
}
