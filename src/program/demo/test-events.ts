import { createPrice } from '#catalog/prices/commands.ts'
import { createProduct, deleteProduct, updateProduct } from '#catalog/products/commands.ts'
import { listProducts } from '#catalog/products/queries.ts'
import { VIDEO } from '#catalog/products/types.facts.ts'
import type { Topic } from '#history/events/topics.facts.ts'
import { getSeller } from '#identity/companies/queries.ts'
import { changeOwnCustomer, deleteCustomer, importCustomer } from '#people/customers/commands.ts'
import { lockBuyer, type OwnCustomer } from '#people/customers/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Author } from '#platform/identity/caller.ts'
import { randomCapitals } from '#platform/identity/crypto.ts'
import { forgetDeviceLicenses } from '#rights/device-licenses/forget.commands.ts'
import { lockAlike } from '#rights/entitlements/alike.queries.ts'
import { revokeEntitlement } from '#rights/entitlements/commands.ts'
import { createOrder } from '#selling/orders/commands.ts'
import { MANUAL } from '#selling/orders/rules.ts'
import { settleOrder } from '#selling/orders/settle.commands.ts'
import type { Channel, OrderState } from '#selling/orders/state.ts'
import { bindingsOf } from './terms.ts'
import { AUDIENCE_TRIGGERS, type Trigger } from './test-audience.ts'

type TestProduct = { id: number; product_id: string }
type Found = TestProduct & { title: string; price_license_binding: { price_id: number | null }[] }

const PRODUCT = 'Test product (licet trigger)'
const newCustomerEmail = ({ companyId }: Author) => `test-new-customer-${companyId}@example.com`
/** More than earlier versions, which removed none, are likely to have left. */
const PRODUCTS_MAX = 100

/**
 * Changes that cause real events, by topic. They touch nothing but test data of their own. What they leave is what a receiver
 * looks for; the next change of the kind removes it, so there is never more than one of each.
 */
export const TRIGGERS: Partial<Record<Topic, Trigger>> = {
  ...AUDIENCE_TRIGGERS,
  'order/create': async (tx, author, now) => orderOf(await addOrder(tx, author, MANUAL, now)),
  'order/update': async (tx, author, now) => {
    const bill = await addOrder(tx, author, { ...MANUAL, financial_status: 'pending' }, now)
    return `${orderOf(await settleOrder(tx, bill, bill.gateway, now))}, on account and paid`
  },
  'entitlement/update': async (tx, author, now) => {
    const order = await addOrder(tx, author, MANUAL, now)
    const [owned] = await lockAlike(tx, author.companyId, order.id)
    if (owned === undefined) throw new Error('the test order gave nothing')
    await revokeEntitlement(tx, author, String(owned.entitlement.id), now)
    return `${orderOf(order)}, whose content was revoked`
  },
  'product/create': async (tx, author, now) => {
    const before = await findTestProducts(tx, author)
    const product = await addProduct(tx, author, now)
    for (const { id } of before) await deleteProduct(tx, author, String(id), now)
    return nameOf(product)
  },
  'product/update': async (tx, author, now) => {
    const product = await testProduct(tx, author, now)
    const comment = `Changed by licet trigger: ${randomCapitals(8)}`
    await updateProduct(tx, author, String(product.id), { comment }, now)
    return nameOf(product)
  },
  'product/delete': async (tx, author, now) => {
    const product = await addProduct(tx, author, now)
    await deleteProduct(tx, author, String(product.id), now)
    return `${nameOf(product)}, created and deleted`
  },
  'customer/create': async (tx, author, now) => {
    const before = await lockBuyer(tx, author.companyId, 'email', newCustomerEmail(author))
    if (before !== undefined) await deleteCustomer(tx, author, before.account.token, forgetDeviceLicenses, now)
    return emailOf(await addCustomer(tx, author, newCustomerEmail(author), now))
  },
  'customer/update': async (tx, author, now) => {
    const { account } = await testCustomer(tx, author, now)
    const note = `Changed by licet trigger: ${randomCapitals(8)}`
    return emailOf(await changeOwnCustomer(tx, author, account.token, (before) => ({ ...before, note }), now))
  },
}

/** The product is published for this order alone: nobody else sees it before the transaction hides it again. */
async function addOrder(tx: Tx, author: Author, channel: Channel, now: Date): Promise<OrderState> {
  const product = await testProduct(tx, author, now)
  const { account } = await testCustomer(tx, author, now)
  await updateProduct(tx, author, String(product.id), { published: true }, now)
  const input = {
    test: true,
    confirmed: channel.financial_status === 'paid',
    customer_notification: 0,
    line_items: [{ product_id: product.product_id, quantity: 1 }],
  }
  const buyer = { kind: 'token', token: account.token, path: 'customer_token' } as const
  const { state } = await createOrder(tx, author, input, buyer, channel, now)
  await updateProduct(tx, author, String(product.id), { published: false }, now)
  return state
}

const orderOf = ({ id, email }: OrderState) => `Test order ${id} of ${email}`

/** The test product of an earlier trigger, or a new one. */
async function testProduct(tx: Tx, author: Author, now: Date): Promise<TestProduct> {
  const [product] = await findTestProducts(tx, author)
  return product ?? addProduct(tx, author, now)
}

async function findTestProducts(tx: Tx, { companyId }: Author): Promise<Found[]> {
  const list = listProducts(tx, companyId, { query: `title:${PRODUCT}` })
  const found = await list({ after: 0, limit: PRODUCTS_MAX, offset: 0 })
  const products: Found[] = found.map(({ document }) => JSON.parse(document))
  return products.filter(({ title }) => title === PRODUCT)
}

async function addProduct(tx: Tx, author: Author, now: Date): Promise<TestProduct> {
  const id = (await findTestPrice(tx, author)) ?? (await addPrice(tx, author, now))
  const bindings = bindingsOf(VIDEO, new Map(['Film, sale', 'Film, rental'].map((name) => [name, id])))
  const input = { product_type: VIDEO, title: PRODUCT, published: false, price_license_binding: bindings.slice(0, 1) }
  return (await createProduct(tx, author, input, now)).state
}

/** Prices stay for ever, so that of an earlier test product is used again. */
async function findTestPrice(tx: Tx, author: Author): Promise<number | undefined> {
  const [product] = await findTestProducts(tx, author)
  return product?.price_license_binding[0]?.price_id ?? undefined
}

async function addPrice(tx: Tx, author: Author, now: Date): Promise<number> {
  const { currency } = await getSeller(tx, author.companyId)
  const price = { title: 'Test price (licet trigger)', currencies: [{ currency, price: 100 }] }
  return (await createPrice(tx, author, price, now)).state.id
}

/** The test customer of an earlier trigger, or a new one. */
async function testCustomer(tx: Tx, author: Author, now: Date): Promise<OwnCustomer> {
  const email = `test-customer-${author.companyId}@example.com`
  return (await lockBuyer(tx, author.companyId, 'email', email)) ?? addCustomer(tx, author, email, now)
}

async function addCustomer(tx: Tx, author: Author, email: string, now: Date): Promise<OwnCustomer> {
  const { country_code } = await getSeller(tx, author.companyId)
  const addresses = [{ address1: 'Test street 1', city: 'Test city', zip: '10115', country: country_code }]
  const input = { email, first_name: 'Test', last_name: 'Customer', addresses }
  return (await importCustomer(tx, author, input, now)).state
}

function nameOf({ id, product_id }: TestProduct): string {
  return `Product ${id} (${product_id}), "${PRODUCT}"`
}

function emailOf({ account }: OwnCustomer): string {
  return `Customer ${account.token}, ${account.email}`
}
