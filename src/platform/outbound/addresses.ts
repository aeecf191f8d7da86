import ipaddr from 'ipaddr.js'

/** The whole IPv6 internet; addresses outside are local, translated from IPv4 or not allocated. */
const GLOBAL_IPV6 = ipaddr.IPv6.parseCIDR('2000::/3')

/**
 * Is this IP address on the open internet? A list of private ranges could miss one, so an address that is not known to
 * be public counts as private. An IPv6 form that wraps an IPv4 address (mapped, NAT64, 6to4, Teredo) is refused in any
 * case.
 */
export function isPublicAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.parse(text)
  if (address.range() !== 'unicast') return false
  return address instanceof ipaddr.IPv4 || address.match(GLOBAL_IPV6)
}

/** Is this IP address on the machine itself? */
export function isLoopback(text: string): boolean {
  return ipaddr.isValid(text) && ipaddr.process(text).range() === 'loopback'
}

/** Is this IP address in one of these networks? A network is an address, or one with a prefix: `10.0.0.0/8`. */
export function isInNetworks(text: string, networks: readonly string[]): boolean {
  if (!ipaddr.isValid(text)) return false
  const address = ipaddr.process(text)
  return networks.some((network) => {
    const [base, bits] = ipaddr.isValidCIDR(network) ? ipaddr.parseCIDR(network) : wholeAddress(network)
    return base.kind() === address.kind() && address.match(base, bits)
  })
}

/** Are these the same IP address, in any spelling? */
export function isSameAddress(one: string, other: string): boolean {
  if (!ipaddr.isValid(one) || !ipaddr.isValid(other)) return false
  return ipaddr.process(one).toNormalizedString() === ipaddr.process(other).toNormalizedString()
}

function wholeAddress(text: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  const address = ipaddr.parse(text)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}

const PREFIX_BITS = { ipv4: 24, ipv6: 48 } as const

/** The beginning of a network address, for a person to recognise; it names no single machine. */
export function networkPrefix(text: string): string {
  if (!ipaddr.isValid(text)) return ''
  const address = ipaddr.process(text)
  const bits = PREFIX_BITS[address.kind()]
  const network =
    address instanceof ipaddr.IPv4
      ? ipaddr.IPv4.networkAddressFromCIDR(`${address}/${bits}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${address}/${bits}`)
  return `${network}/${bits}`
}

/**
 * The network within which one client can choose its address: the IPv4 address itself, or the
 * /64 of an IPv6 address. A text that is no address is returned as it is.
 */
export function networkOf(text: string): string {
  // Some proxies write the client's port behind its address.
  const [, bare = text] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? []
  if (!ipaddr.isValid(bare)) return bare.slice(0, 100)
  const address = ipaddr.process(bare)
  if (address instanceof ipaddr.IPv4) return address.toString()
  const network = address.parts.slice(0, 4)
  return `${new ipaddr.IPv6([...network, 0, 0, 0, 0])}/64`
}
