import type { ShopAddresses } from '#catalog/theme-settings/state.ts'
import { hostName, isOwnHost, ownHost } from '#platform/wire/own-address.ts'

/** An address of a shop: an origin, and the path in front of its pages, which is empty on a host of the shop. */
export type Place = { origin: string; base: string }

export type Places = {
  /** Below a path on the service's own host. */
  own: Place
  /** On the hosts of the shop. */
  hosts: readonly Place[]
  /** Where people are sent who come from elsewhere. */
  home: Place
  /** The same for My Content, which may have a domain of its own. */
  library: Place
  /** That domain; undefined: My Content is at every address. */
  access: Place | undefined
}

/** The page on which customers find what they own. */
export const LIBRARY_PATH = '/my-content'

/** The path of a shop on the service's own host. */
export function shopPath(id: number): string {
  return `/shop/${id}`
}

/** All addresses of a shop that answer. */
export function placesOf({ id, hosts }: ShopAddresses, baseUrl: string): Places {
  const { protocol, port, origin } = new URL(baseUrl)
  const end = port === '' ? '' : `:${port}`
  const known = Object.entries(hosts).map(([kind, host]) => {
    const name = host.includes('.') ? host : `${host}.${ownHost(baseUrl)}`
    return { kind, place: { origin: `${protocol}//${name}${end}`, base: '' } }
  })
  const at = (kind: string) => known.find((each) => each.kind === kind)?.place
  const own = { origin, base: shopPath(id) }
  const home = at('shop_domain') ?? own
  const access = at('access_domain')
  return { own, hosts: known.map(({ place }) => place), home, library: access ?? home, access }
}

/** The address of the shop that a request came to; undefined if the host belongs to somebody else. */
export function placeAt({ own, hosts }: Places, host: string, baseUrl: string): Place | undefined {
  if (isOwnHost(host, baseUrl)) return own
  return hosts.find(({ origin }) => new URL(origin).hostname === hostName(host))
}

export type Destination = { place: Place; path: string }

/** The page that a login leads to: the one that the token names, if it lies in the shop, else My Content. */
export function destinationOf(returnTo: string | undefined, current: Place | undefined, places: Places): Destination {
  const library = places.access ?? current ?? places.library
  const found = returnTo === undefined ? undefined : resolve(returnTo, current ?? places.home, places)
  if (found === undefined) return { place: library, path: `${library.base}${LIBRARY_PATH}` }
  return places.access !== undefined && isLibrary(found) ? moveTo(places.access, found) : found
}

function isLibrary({ place, path }: Destination): boolean {
  return isBelow(path.slice(place.base.length), LIBRARY_PATH)
}

/** A page of the same shop at another of its addresses. */
export function moveTo(place: Place, { place: before, path }: Destination): Destination {
  const rest = path.slice(before.base.length)
  return { place, path: `${place.base}${rest.startsWith('/') ? '' : '/'}${rest}` }
}

function resolve(text: string, start: Place, { own, hosts }: Places): Destination | undefined {
  // A path is one of the shop, also where the shop itself lies below a path.
  const isOutside = /^\/(?![/\\])/.test(text) && !isBelow(text, start.base)
  const url = URL.parse(isOutside ? `${start.base}${text}` : text, `${start.origin}${start.base}/`)
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined
  const place = [start, own, ...hosts].find(
    ({ origin, base }) => new URL(origin).hostname === url.hostname && isBelow(url.pathname, base),
  )
  // To a browser two leading slashes start another host. On a host of the shop the path has no base in front of them.
  if (url.pathname.slice(place?.base.length).startsWith('//')) return undefined
  return place === undefined ? undefined : { place, path: `${url.pathname}${url.search}${url.hash}` }
}

function isBelow(path: string, base: string): boolean {
  return path === base || (path.startsWith(base) && /^[/?#]/.test(path.slice(base.length)))
}
