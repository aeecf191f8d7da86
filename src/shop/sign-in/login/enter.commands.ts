import { findShopByHost, findShopByPath, findShopId, findShopOwner } from '#catalog/theme-settings/queries.ts'
import type { ShopAddresses } from '#catalog/theme-settings/state.ts'
import { createLogin, findSigner, type LoginOptions, readReturnTo } from '#people/customers/login-tokens/commands.ts'
import { endSessionOfCookie, startCustomerSession } from '#people/customers/sessions/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { ownHost } from '#platform/wire/own-address.ts'
import { destinationOf, moveTo, type Place, placeAt, placesOf } from './rules.ts'

export type ShopLogin = {
  /** The id of the theme setting as it was sent; 0 or empty is the first one of the company. */
  shopRef: string
  /** The login token as it was sent. */
  text: string
  /** The requested host, and the address of the service. */
  host: string
  baseUrl: string
  /** Was the browser sent here from another address of the service? Then it is not sent on again. */
  isMoved: boolean
  address: string
  acceptLanguage: string
  userAgent: string
}

export type ShopEntry =
  /** The login continues at another address of the shop, because cookies belong to one host. */
  | { kind: 'elsewhere'; origin: string; shopId: number }
  | { kind: 'entered'; shop: ShopAddresses; place: Place; path: string; sessionToken: string }
  /** The reason is for the log. The shop is undefined if there is none. */
  | { kind: 'refused'; why: string; shop: ShopAddresses | undefined; place: Place | undefined }

/** The shop of a login. Without an id it is the first one of the company: that of the host, else the one that signed. */
async function findLoginShop(db: Db, { shopRef, host, baseUrl, text }: ShopLogin): Promise<ShopAddresses | undefined> {
  if (!/^\d{0,15}$/.test(shopRef)) return undefined
  const id = Number(shopRef)
  const companyId =
    id === 0
      ? ((await findShopByHost(db, host, ownHost(baseUrl)))?.company_id ?? (await findSigner(db, text)))
      : await findShopOwner(db, id)
  const shopId = companyId === undefined ? undefined : await findShopId(db, companyId, id)
  return shopId === undefined ? undefined : findShopByPath(db, String(shopId))
}

/** Signs customers in to shops with a login token that the site of the shop owner made. */
export function createShopLogin(options: LoginOptions) {
  const login = createLogin(options)
  const { db, clock } = options

  /** `tokenAt` reads the session that the browser has at a place: the new one replaces it. */
  return async function enter(request: ShopLogin, tokenAt: (place: Place) => string | undefined): Promise<ShopEntry> {
    const shop = await findLoginShop(db, request)
    if (shop === undefined) return { kind: 'refused', why: 'there is no such shop', shop, place: undefined }
    const { company_id: companyId, id: themeSettingId } = shop
    const places = placesOf(shop, request.baseUrl)
    const current = placeAt(places, request.host, request.baseUrl)
    const wanted = destinationOf(await readReturnTo(db, companyId, request.text), current, places)
    if (wanted.place !== current && !request.isMoved)
      return { kind: 'elsewhere', origin: wanted.place.origin, shopId: themeSettingId }
    const { place, path } = wanted.place === current ? wanted : moveTo(current ?? places.own, wanted)
    const { text, address, acceptLanguage, userAgent } = request
    const entry = await login({ companyId, text, address, acceptLanguage }, async (tx, { account }) => {
      const before = tokenAt(place)
      if (before !== undefined) await endSessionOfCookie(tx, companyId, before)
      const session = { companyId, themeSettingId, customerId: account.id, userAgent, address }
      return startCustomerSession(tx, session, nowInSeconds(clock))
    })
    return entry.kind === 'refused'
      ? { ...entry, shop, place }
      : { kind: 'entered', shop, place, path, sessionToken: entry.result }
  }
}
