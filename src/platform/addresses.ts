import ipaddr from 'ipaddr.js'

/** All of the IPv6 internet; what lies outside is local, translated from IPv4 or not given out. */
const GLOBAL_IPV6 = ipaddr.parseCIDR('2000::/3') as [ipaddr.IPv6, number]

/**
 * Is this IP address on the open internet? Asked the other way round, a range that nobody thought of would pass: what
 * is not known to be public is not. An IPv6 form that wraps an IPv4 address (mapped, NAT64, 6to4, Teredo) is refused
 * whatever it wraps.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_IPV6)
}

/**
 * The network that an address belongs to as far as one who sits in it can choose among its addresses: itself, or the
 * /64 of IPv6, of which whoever has one address has all. What is no address stands for itself.
 */
export function networkOf(text: string): string {
  // Some proxies write the client's port behind its address.
  const [, bare = text] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? []
  if (!ipaddr.isValid(bare)) return bare.slice(0, 100)
  const address = ipaddr.process(bare)
  if (address.kind() === 'ipv4') return address.toString()
  const network = (address as ipaddr.IPv6).parts.slice(0, 4)
  return `${new ipaddr.IPv6([...network, 0, 0, 0, 0])}/64`
}
