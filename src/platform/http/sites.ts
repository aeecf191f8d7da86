import type { IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { hostName, isOwnHost, ownHost } from '../wire/own-address.ts'
import { belongsTo } from './proxies.ts'

/**
 * Whether the requested host is the service's own, one below it that shows foreign documents in a frame, or another one
 * that points here.
 */
export type Site = 'own' | 'reader' | 'other'

const SITES: readonly unknown[] = ['own', 'reader', 'other']

const READER = /^reader-[1-9]\d{0,14}\./

function siteOfHost(host: string, baseUrl: string): Site {
  if (isOwnHost(host, baseUrl)) return 'own'
  const name = hostName(host)
  return READER.test(name) && name.replace(READER, '') === ownHost(baseUrl) ? 'reader' : 'other'
}

export type SiteOf = (request: IncomingMessage) => Site

/**
 * Restricts a route to one site: `constraints: { site: 'own' }`. A route without it exists on every host. The router
 * decides by the host name alone, so that no request waits for it.
 */
export function addSites(app: FastifyInstance, trustProxy: readonly string[]): SiteOf {
  const isProxy = belongsTo(trustProxy)
  // Most requests have the same host as the request before.
  let last: { host: string; baseUrl: string; site: Site } = { host: '', baseUrl: '', site: 'own' }
  const siteOf: SiteOf = (request) => {
    const host = askedHost(request, isProxy)
    if (host !== last.host || app.baseUrl !== last.baseUrl)
      last = { host, baseUrl: app.baseUrl, site: siteOfHost(host, app.baseUrl) }
    return last.site
  }
  app.addConstraintStrategy({
    name: 'site',
    storage: () => new Map(),
    validate: (site) => {
      if (!SITES.includes(site)) throw new Error(`${site} is no site`)
    },
    deriveConstraint: siteOf,
  })
  return siteOf
}

/** The same as `request.host`, which does not exist before a route is found. */
export function askedHost({ headers, socket }: IncomingMessage, isProxy: (address: string) => boolean): string {
  const { 'x-forwarded-host': forwarded, host = '' } = headers
  if (forwarded === undefined || forwarded === '' || !isProxy(socket.remoteAddress ?? '')) return host
  return String(forwarded).split(',').at(-1)?.trim() ?? host
}
