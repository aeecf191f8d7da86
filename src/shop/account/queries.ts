import { browserIn } from '#identity/users/sessions/rules.ts'
import { findDeletionLink, findLink } from '#people/customers/links/queries.ts'
import { getAccount, getAddresses } from '#people/customers/queries.ts'
import { type ListedSession, listCustomerSessions } from '#people/customers/sessions/queries.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Db } from '#platform/db/database.ts'
import { translatorOf } from '#platform/text/messages.ts'
import { type DevicePlace, readLastUsed } from '#rights/entitlements/devices/queries.ts'
import type { DeviceState } from '#rights/entitlements/devices/state.ts'
import { countShelf } from '#rights/entitlements/shelves/queries.ts'
import { countOrders } from '#selling/orders/queries.ts'
import { nameOfCountry } from '#shop/site/countries.rules.ts'

/** A browser in which the customer is signed in. */
export type OwnSession = ListedSession & {
  /** Is it the browser that asks? */
  is_current: boolean
}

/** The sessions of a customer in the shops of the company, with a mark at the one that asks. */
export async function readSessions(
  db: Db,
  session: CustomerSession,
  language: string,
  now: Date,
): Promise<OwnSession[]> {
  const t = translatorOf(language)
  const sessions = await listCustomerSessions(db, session, now)
  return sessions.map((each) => ({
    ...each,
    browser: browserIn(t, each.browser),
    is_current: each.key === session.firstKey,
  }))
}

const DEVICES_PAGE = 50

/** Before the first device: no time is later. */
const START: DevicePlace = { seconds: 253_402_300_799, id: 0 }

function devicePlaceIn(after: string): DevicePlace {
  const [, seconds, id] = /^(\d{1,12})-(\d{1,15})$/.exec(after) ?? []
  return seconds === undefined ? START : { seconds: Number(seconds), id: Number(id) }
}

const placeOf = ({ last_seen_at, id }: DeviceState) => `${Math.floor(last_seen_at.getTime() / 1000)}-${id}`

/** One page of the customer's devices, the last used first, and where the next page begins. */
export async function readDevices(
  db: Db,
  { companyId, customerId }: CustomerSession,
  language: string,
  after: string,
): Promise<{ devices: DeviceState[]; next: string | undefined }> {
  const rows = await readLastUsed(db, { companyId, customerId }, devicePlaceIn(after), DEVICES_PAGE + 1)
  const t = translatorOf(language)
  const devices = rows.slice(0, DEVICES_PAGE).map((device) => ({ ...device, name: browserIn(t, device.name) }))
  const last = devices.at(-1)
  return { devices, next: rows.length <= DEVICES_PAGE || last === undefined ? undefined : placeOf(last) }
}

/** The addresses of a customer in lines, as people write them; the default comes first. */
export async function readOwnAddresses(db: Db, { companyId, customerId }: CustomerSession, language: string) {
  const { addresses } = await getAddresses(db, companyId, String(customerId))
  const inOrder = addresses.toSorted((one, other) => Number(other.default) - Number(one.default))
  return inOrder.map((address) => ({
    id: address.id,
    is_default: address.default,
    lines: [
      `${address.first_name} ${address.last_name}`,
      address.company,
      address.address1,
      address.address2,
      [`${address.zip} ${address.city}`.trim(), address.province].filter(Boolean).join(', '),
      address.country_code === '' ? '' : nameOfCountry(address.country_code, language),
    ]
      .map((line) => line.trim())
      .filter(Boolean),
  }))
}

export async function hasPassword(db: Db, { companyId, customerId }: CustomerSession): Promise<boolean> {
  return (await getAccount(db, companyId, String(customerId))).password_hash !== null
}

/** What happens if the account is deleted. */
export type Losses = {
  /** How many things in My Content nobody can use then. */
  content_count: number
  /** How many orders are kept, because invoices must be. */
  orders_count: number
}

export async function readLosses(
  db: Db,
  { companyId, customerId, token }: { companyId: number; customerId: number; token: string },
): Promise<Losses> {
  const [counts, orders_count] = await Promise.all([
    countShelf(db, { companyId, customerId, orderIds: null }),
    countOrders(db, companyId, { customer_token: token }),
  ])
  const content_count = counts.reduce((sum, { count, is_opened }) => (is_opened ? sum : sum + count), 0)
  return { content_count, orders_count }
}

export type AccountLink = {
  kind: 'password' | 'proof' | 'deletion'
  token: string
  email: string
  newEmail: string | null
  /** What goes and what stays if the account is deleted; nothing for other links. */
  losses: Losses | undefined
}

/** A mailed link about an account that the company of a shop asked for; undefined if it is unknown, used or expired. */
export async function findAccountLink(
  db: Db,
  companyId: number,
  token: string,
  now: Date,
): Promise<AccountLink | undefined> {
  const [link, deletion] = await Promise.all([findLink(db, token, now), findDeletionLink(db, token, now)])
  if (deletion?.companyId === companyId) {
    const { customerId, customerToken, email } = deletion
    const losses = await readLosses(db, { companyId, customerId, token: customerToken })
    return { kind: 'deletion', token, email, newEmail: null, losses }
  }
  if (link?.companyId !== companyId || (link.kind !== 'password' && link.kind !== 'proof')) return undefined
  return { kind: link.kind, token, email: link.email, newEmail: link.newEmail, losses: undefined }
}
