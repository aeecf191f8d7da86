import { createApp } from '#apps/oauth/apps.commands.ts'
import { ALL_SCOPES } from '#apps/oauth/scopes.facts.ts'
import { createPrice } from '#catalog/prices/commands.ts'
import { issueToken } from '#identity/grants/commands.ts'
import { startSession } from '#identity/users/sessions/commands.ts'
import { importCustomer } from '#people/customers/commands.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { MigratedStore } from '#program/boot/store.ts'
import { openCompany } from '#program/first-run/open-company.ts'
import { updatePaymentSettings } from '#selling/payments/settings.commands.ts'
import { withContent } from '#test/content.ts'
import { MOLLIE_KEY } from '#test/mollie.ts'

/** More than is sold, so that stock is what counts sales and does not refuse them. */
const STOCK = 10_000_000

/** How much a shop has. Of the rare thing there is less than is asked for. */
export type ShopSize = { films: number; customers: number; rare: number }

/** Something with a stock, and how many pieces there were at first. */
export type Stocked = { id: number; product_id: string; stock: number }

/** A company that sells films and two things with a stock, and is paid through Mollie. */
export type BusyShop = {
  companyId: number
  userId: number
  token: string
  session: string
  /** Path of the shop on the service's own host. */
  base: string
  films: { id: number; product_id: string }[]
  goods: Stocked
  rare: Stocked
  customers: string[]
  /** What the first customers own and use, one for each. */
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
    await updatePaymentSettings(tx, vault, owner, { mollie: { enabled: true, secret_key: MOLLIE_KEY } }, now)
    const token = await addApp(tx, vault, ids, now)
    const user = { company_id: ids.companyId, id: ids.userId }
    const session = await startSession(tx, user, { secondFactorDue: false, userAgent: 'proof' }, ORIGIN, now)
    return { ...ids, token, session, priceId: price.id }
  })
}

/** An app of the company that may do everything: its token. */
export async function addApp(
  tx: Tx,
  vault: MigratedStore['vault'],
  ids: { companyId: number; userId: number },
  now: Date,
): Promise<string> {
  const app = { companyId: ids.companyId, name: 'App', redirectUris: [] }
  const { id: appId } = await createApp(tx, app, vault, { userId: ids.userId, origin: ORIGIN }, now)
  return issueToken(tx, { ...ids, appId, scopes: ALL_SCOPES, lifetimeSeconds: 86_400 }, now)
}

/** So many customers own something from the beginning. */
const OWNERS_MAX = 300

/** Fills the shop through the API; only customers and the contents of the films are written without it. */
export async function fillShop(
  { db }: Pick<MigratedStore, 'db'>,
  company: Awaited<ReturnType<typeof openBusyCompany>>,
  ask: Ask,
  { films, customers, rare }: ShopSize,
): Promise<BusyShop> {
  const create = async (path: string, body: object) => {
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
  for (let number = 0; number < films; number += 1) {
    const made = await create('/api/products.json', product(`Film ${number}`, offer, { product_type: 1 }))
    all.push(await withContent({ db, clock: machineClock }, company, made.product))
  }
  const stocked = async (title: string, stock: number): Promise<Stocked> => {
    const more = { product_type: 6, manage_stock: true, items_in_stock: stock }
    const { id, product_id } = (await create('/api/products.json', product(title, price, more))).product
    return { id, product_id, stock }
  }
  const goods = { box: await stocked('Box', STOCK), rare: await stocked('Rare box', rare) }
  const tokens: string[] = []
  const entitlements: number[] = []
  for (let number = 0; number < customers; number += 1) {
    // Without a password: its hash takes longer than everything else.
    const input = { email: `customer-${number}@example.com`, addresses: [HOME] }
    const { state } = await inTransaction(db, (tx) => importCustomer(tx, company, input, nowInSeconds(machineClock)))
    const customer = state.account
    tokens.push(customer.token)
    if (number >= OWNERS_MAX) continue
    const film = all[number % all.length]
    const order = { customer_token: customer.token, po_number: `first-${number}`, line_items: [film] }
    await create('/api/orders.json', { order })
    const { body } = await ask('GET', `/api/customers/${customer.token}/content.json`)
    entitlements.push(body.content[0].id)
  }
  const { body } = await ask('GET', '/api/themesettings.json')
  const [shop] = body.ThemeSettings
  return {
    ...company,
    base: `/shop/${shop.id}`,
    films: all,
    goods: goods.box,
    rare: goods.rare,
    customers: tokens,
    entitlements,
  }
}
