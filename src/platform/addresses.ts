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
