import dns from 'node:dns'
import { isIP, type LookupFunction } from 'node:net'
import type { Agent, buildConnector, Dispatcher } from 'undici'
import { isInNetworks, isLoopback, isPublicAddress } from './addresses.ts'

export type Outbound = {
  /** Sends one request to an address that was given from outside; the caller follows redirects. */
  request(url: string, options: OutboundRequest): Promise<Dispatcher.ResponseData>
  close(): Promise<void>
}

export type OutboundRequest = Partial<Pick<Dispatcher.RequestOptions, 'method' | 'headers' | 'body' | 'signal'>>

export type OutboundOptions = {
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

const CONNECT_MS = 10_000
const KEEP_ALIVE_MS = 10_000

/** One agent for every request that the service makes to addresses given from outside. */
export function createOutbound(options: OutboundOptions): Outbound {
  let agent: Promise<Agent> | undefined
  return {
    // Loaded with the first request, because loading it takes a tenth of a second.
    async request(url, requestOptions) {
      const { request } = await import('undici')
      agent ??= openAgent(options)
      return request(url, { ...requestOptions, dispatcher: await agent })
    },
    async close() {
      await (await agent)?.close()
    },
  }
}

async function openAgent(options: OutboundOptions): Promise<Agent> {
  const undici = await import('undici')
  return new undici.Agent({
    connect: guardedConnector(undici.buildConnector, options),
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
  })
}

/** HTTP/2 is off: nothing here needs it, and it would be a larger attack surface for unknown servers. */
const SOCKET = { timeout: CONNECT_MS, allowH2: false }

/** Checks the address that the socket is about to connect to, so that a name cannot resolve differently in between. */
function guardedConnector(
  build: typeof buildConnector,
  { lookup = dns.lookup, isPublic = isPublicAddress, allowed }: OutboundOptions,
): buildConnector.connector {
  const mayReach = (address: string) => isPublic(address) || isAllowed(address, allowed)
  const connect = build({ ...SOCKET, lookup: guardedLookup(lookup, mayReach) })
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
