import dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { buildConnector } from 'undici'
import { isInNetworks, isLoopback, isPublicAddress } from './addresses.ts'

export type Reach = {
  /** Addresses off the open internet that requests may reach all the same. Without it there are none. */
  allowed?: AllowedNetworks
  /** Tests replace these parts of the network: what a name resolves to, and what is public. */
  lookup?: typeof dns.lookup
  isPublic?: (address: string) => boolean
}

/** What the operator allows beyond the open internet: the machine itself, and networks by name. */
export type AllowedNetworks = { loopback: boolean; networks: readonly string[] }

function isAllowed(address: string, allowed: AllowedNetworks | undefined): boolean {
  if (allowed === undefined) return false
  return (allowed.loopback && isLoopback(address)) || isInNetworks(address, allowed.networks)
}

/** The address is in a private network; nothing was sent to it. */
export class PrivateAddressError extends Error {
  constructor(host: string) {
    super(`${host} is not on the open internet`)
    this.name = 'PrivateAddressError'
  }
}

/**
 * HTTP/2 is off: nothing here needs it, and it would be a larger attack surface for unknown servers. Certificates are
 * checked even where the environment of the process says otherwise.
 */
const SOCKET = { allowH2: false, rejectUnauthorized: true }

/** Checks the address that the socket is about to connect to, so that a name cannot resolve differently in between. */
export function guardedConnector(
  build: typeof buildConnector,
  { lookup = dns.lookup, isPublic = isPublicAddress, allowed }: Reach,
  timeoutMs: number,
): buildConnector.connector {
  const mayReach = (address: string) => isPublic(address) || isAllowed(address, allowed)
  const connect = build({ ...SOCKET, timeout: timeoutMs, lookup: guardedLookup(lookup, mayReach) })
  return (options, callback) => {
    // A literal address is connected to without a lookup.
    const host = options.hostname.replace(/^\[|\]$/g, '')
    if (isIP(host) !== 0 && !mayReach(host)) callback(new PrivateAddressError(host), null)
    else connect(options, callback)
  }
}

/** One private address among several is enough to refuse the name: the socket may connect to any of them. */
function guardedLookup(lookup: typeof dns.lookup, mayReach: (address: string) => boolean): LookupFunction {
  return (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, [])
      const [first] = addresses
      if (first === undefined || addresses.some(({ address }) => !mayReach(address))) {
        return callback(new PrivateAddressError(host), [])
      }
      if (options.all) callback(null, addresses)
      else callback(null, first.address, first.family)
    })
  }
}
