import { createApp } from '#apps/oauth/apps.commands.ts'
import { ALL_SCOPES } from '#apps/oauth/scopes.facts.ts'
import { createPrice } from '#catalog/prices/commands.ts'
import { issueToken } from '#identity/grants/commands.ts'
import { startSession } from '#identity/users/sessions/commands.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { MigratedStore } from '#program/boot/store.ts'
import { openCompany } from '#program/first-run/open-company.ts'
import { updatePaymentSettings } from '#selling/payments/settings.commands.ts'

/** More than is sold, so that stock is what counts sales and does not refuse them. */
export const STOCK = 10_000_000

/** A company that sells films and one thing with a stock, and takes test cards. */
export type BusyShop = {
  companyId: number
  token: string
  session: string
  /** Path of the shop on the service's own host. */
  base: string
  films: { id: number; product_id: string }[]
  goods: { id: number; product_id: string }
  customers: string[]
  /** What customers own and use, one for each. */
  entitlements: number[]
}

// biome-ignore lint/suspicious/noExplicitAny: the proof reads whatever the wire carries.
export type Ask = (method: string, path: string, body?: object) => Promise<{ status: number; body: any }>

/** Goods are shipped there. */
const HOME = {
  first_name: 'Jane',
  last_name: 'Roe',
  address1: 'Main Street 1',
  zip: '10115',
  city: 'Berlin',
  country_code: 'DE',
}

const ORIGIN = { address: '127.0.0.1', requestId: 'proof' }

/** The company with its access, written without the service, which has no first-run link for a program. */
export async function openBusyCompany({ db, vault }: MigratedStore) {
  const now = nowInSeconds(machineClock)
  return inTransaction(db, async (tx) => {
    const details = { company_name: 'Busy', email: 'busy@example.com', country_code: 'DE', currency: 'EUR' }
    const ids = await openCompany(tx, details, { email: details.email, passwordHash: null }, now)
    const owner = { ...ids, appId: null, origin: ORIGIN }
    const { state: price } = await createPrice(
      tx,
      owner,
      { title: 'Film', currencies: [{ currency: 'eur', price: 999 }] },
      now,
    )
    await updatePaymentSettings(tx, vault, owner, { test: { enabled: true } }, now)
    const app = { companyId: ids.companyId, name: 'App', redirectUris: [] }
    const { id: appId } = await createApp(tx, app, vault, { userId: ids.userId, origin: ORIGIN }, now)
    const token = await issueToken(tx, { ...ids, appId, scopes: ALL_SCOPES, lifetimeSeconds: 86_400 }, now)
    const user = { company_id: ids.companyId, id: ids.userId }
    const session = await startSession(tx, user, { secondFactorDue: false, userAgent: 'proof' }, ORIGIN, now)
    return { ...ids, token, session, priceId: price.id }
  })
}

/** Fills the shop through the API. */
export async function fillShop(
  company: Awaited<ReturnType<typeof openBusyCompany>>,
  ask: Ask,
  { films, customers }: { films: number; customers: number },
): Promise<BusyShop> {
  const made = async (path: string, body: object) => {
    const answer = await ask('POST', path, body)
    if (answer.status !== 201) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }
  const price = { price_id: company.priceId }
  const product = (title: string, offer: object, more: object) => ({
    product: { title, published: true, price_license_binding: [offer], ...more },
  })
  const offer = { ...price, license_id: 1 }
  const all: BusyShop['films'] = []
  for (let number = 0; number < films; number += 1)
    all.push((await made('/api/products.json', product(`Film ${number}`, offer, { product_type: 1 }))).product)
  const stocked = { product_type: 6, manage_stock: true, items_in_stock: STOCK }
  const { product: goods } = await made('/api/products.json', product('Box', price, stocked))
  const tokens: string[] = []
  const entitlements: number[] = []
  for (let number = 0; number < customers; number += 1) {
    const email = `customer-${number}@example.com`
    const input = { email, password: 'a password to shop with', addresses: [HOME] }
    const { customer } = await made('/api/customers.json', { customer: input })
    tokens.push(customer.token)
    const film = all[number % all.length]
    const order = { customer_token: customer.token, po_number: `first-${number}`, line_items: [film] }
    await made('/api/orders.json', { order })
    const { body } = await ask('GET', `/api/customers/${customer.token}/content.json`)
    entitlements.push(body.content[0].id)
  }
  const { body } = await ask('GET', '/api/themesettings.json')
  const [shop] = body.ThemeSettings
  return { ...company, base: `/shop/${shop.id}`, films: all, goods, customers: tokens, entitlements }
}
