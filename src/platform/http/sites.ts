import type { IncomingMessage } from 'node:http'
import { BlockList, isIPv6 } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { isOwnHost } from '../own-address.ts'

/** Whether the requested host is the service's own, or another one that points here. */
export type Site = 'own' | 'other'

/**
 * Restricts a route to one site: `constraints: { site: 'own' }`. A route without it exists on every host. The router
 * decides by the host name alone, so that no request waits for it.
 */
export function addSites(app: FastifyInstance, trustProxy: readonly string[]): void {
  const proxies = listOf(trustProxy)
  // Most requests have the same host as the request before.
  let last: { host: string; baseUrl: string; site: Site } = { host: '', baseUrl: '', site: 'own' }
  app.addConstraintStrategy({
    name: 'site',
    storage: () => new Map(),
    validate: (site) => {
      if (site !== 'own' && site !== 'other') throw new Error(`${site} is no site`)
    },
    deriveConstraint: (request: IncomingMessage) => {
      const host = askedHost(request, proxies)
      if (host !== last.host || app.baseUrl !== last.baseUrl)
        last = { host, baseUrl: app.baseUrl, site: isOwnHost(host, app.baseUrl) ? 'own' : 'other' }
      return last.site
    },
  })
}

function listOf(networks: readonly string[]): BlockList | undefined {
  if (networks.length === 0) return undefined
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', bits] = network.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    if (bits === undefined) list.addAddress(address, family)
    else list.addSubnet(address, Number(bits), family)
  }
  return list
}

/** The same as `request.host`, which does not exist before a route is found. */
function askedHost({ headers, socket }: IncomingMessage, proxies: BlockList | undefined): string {
  const { 'x-forwarded-host': forwarded, host = '' } = headers
  if (forwarded === undefined || forwarded === '' || proxies === undefined) return host
  const { remoteAddress = '' } = socket
  if (!proxies.check(remoteAddress, isIPv6(remoteAddress) ? 'ipv6' : 'ipv4')) return host
  return String(forwarded).split(',').at(-1)?.trim() ?? host
}
