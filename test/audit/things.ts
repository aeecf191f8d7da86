import { isForCustomer, type Scope } from '#apps/oauth/scopes.facts.ts'
import { dispatchEvents } from '#apps/webhooks/sender/dispatch.commands.ts'
import { record } from '#history/audit/commands.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { saveReview } from '#selling/reviews/commands.ts'
import { aGroupMember, aNewsRecipient, aSubscriber } from '../audience.ts'
import { aCustomer } from '../customers.ts'
import { aLicense, anOffer, aPrice, type Wire } from '../factories.ts'
import { aFailedCopy } from '../failed-copies.ts'
import type { Service, Shop } from '../harness.ts'
import { aCsvImport } from '../imports.ts'
import { aStoredLicense } from '../offline-apps.ts'
import { aFlaggedPayment } from '../payments.ts'
import { aPublication } from '../publications.ts'
import { aMirroredFilm } from '../sales.ts'
import { orderOf, ship, someGoods } from '../shipping.ts'
import { importKeys, someKeys } from '../software-keys.ts'
import { aTerm, listTerms } from '../terms.ts'
import { upload } from '../uploads.ts'
import { anInvitedUser } from '../users.ts'
import { aWebhook } from '../webhooks.ts'

/** One of everything that a shop can have. */
export type Things = {
  order: { id: number }
  note: { id: number }
  invoice: { id: number }
  payment: { id: number; order_id: number }
  customer: { id: number; token: string; email: string; addresses: { id: number }[] }
  product: { id: number; product_id: string }
  category: { id: number }
  file: { id: number }
  csvImport: { id: number }
  themeSetting: { id: number }
  license: { id: number }
  price: { id: number }
  discountCode: { id: number }
  review: { id: number }
  redemptionCode: { id: number }
  shippingMethod: { id: number }
  taxRate: { id: number }
  subscriber: { id: number }
  /** A group that the customer is in. */
  group: { id: string }
  plan: { id: number; group_id: string }
  subscription: { id: number; plan_id: number }
  groupMember: { id: number }
  newsRecipient: { id: number }
  marketId: number
  /** A product that another company offers. */
  marketProduct: { id: number }
  company: { id: number }
  user: { id: number; token: string; email: string }
  /** Somebody who has not accepted yet. */
  invited: { token: string }
  app: { id: number }
  webhook: { id: number }
  delivery: { id: number }
  /** A key of the product that nobody has. */
  key: { id: number }
  entitlement: { id: number }
  device: { id: number }
  deviceLicense: { id: number }
  mail: { id: number }
}

async function aReview(
  service: Service,
  shop: Shop,
  of: { productKey: number; customerId: number },
): Promise<{ id: number }> {
  const said = { stars: 5, text: 'Good.', name: 'Own' }
  const reviewer = { companyId: shop.companyId, ...of }
  await inTransaction(service.db, (tx) => saveReview(tx, reviewer, said, true, service.clock.now()))
  return (await shop.get('/api/reviews.json')).body.reviews.at(-1)
}

/** A shop may be filled twice, and each of these is there once under its name. */
async function fillTerms(shop: Shop): Promise<Pick<Things, 'discountCode' | 'shippingMethod' | 'taxRate'>> {
  const name = Math.random().toString(36).slice(2)
  const [kept] = await listTerms(shop, 'tax_rate')
  return {
    discountCode: await aTerm(shop, 'discount_code', { code: name, type: 'percentage', amount: 10 }),
    shippingMethod: await aTerm(shop, 'shipping_method', { title: name }),
    taxRate: kept ?? (await aTerm(shop, 'tax_rate', { country_code: 'CH', percent: 8.1 })),
  }
}

async function fillWebhooks(shop: Shop): Promise<Pick<Things, 'webhook' | 'delivery'>> {
  const webhook = await aWebhook(shop, 'https://example.com/own')
  const { body } = await shop.post(`/api/webhooks/${webhook.id}/test.json`, { test: {} })
  return { webhook, delivery: body.delivery }
}

/** A code that gives a product, redeemed once. */
async function fillCodes(shop: Shop, productId: string, token: string): Promise<Pick<Things, 'redemptionCode'>> {
  const redemption_code = { product_id: productId, uses: 9 }
  const { body } = await shop.post('/api/redemption_codes.json', { redemption_code })
  const [redemptionCode] = body.redemption_codes
  await shop.post(`/api/customers/${token}/redeem.json`, { redeem: { code: redemptionCode.code } })
  return { redemptionCode }
}

/** The last thing that the customer bought, and the device that it was used on. */
async function fillContent(shop: Shop, token: string): Promise<Pick<Things, 'entitlement' | 'device'>> {
  const { content } = (await shop.get(`/api/customers/${token}/content.json`)).body
  const entitlement = content.at(-1)
  await shop.post(`/api/entitlements/${entitlement.id}/use.json`, { use: { action: 'play', device: 'own' } })
  const { devices } = (await shop.get(`/api/customers/${token}/devices.json`)).body
  return { entitlement, device: devices.at(-1) }
}

/** A group that a customer is in, and that includes nothing. */
async function aGroupWith(shop: Shop, customer_token: string): Promise<{ id: string }> {
  const { group } = (await shop.post('/api/groups.json', { group: { kind: 'access', title: 'Own' } })).body
  await shop.post('/api/groupmembers.json', { groupmember: { customer_token, group_id: group.id } })
  return group
}

/** A plan of a group and of a price of its own. */
async function aPlan(service: Service, shop: Shop): Promise<Things['plan']> {
  const { id: price_id } = await aPrice(service, shop)
  const { group } = (await shop.post('/api/groups.json', { group: { kind: 'subscription', title: 'Own' } })).body
  const plan = { group_id: group.id, title: 'Own', price_id, interval: 'month' }
  return (await shop.post('/api/plans.json', { plan })).body.plan
}

/** A subscription to a plan, which was paid by other means. */
async function aSubscription(shop: Shop, { id: plan_id }: Things['plan']): Promise<Things['subscription']> {
  const customer = await aCustomer(shop)
  const subscription = { plan_id, customer_token: customer.token, paid: true }
  return (await shop.post('/api/subscriptions.json', { subscription })).body.subscription
}

/** A mail that could not be sent. */
async function aFailedMail(service: Service, { companyId }: Shop): Promise<{ id: number }> {
  const now = service.clock.now()
  const mail = { recipient: 'own@example.com', subject: 'Own', text: 'Own', html: '<p>Own</p>', carries_secret: false }
  return service.db
    .insertInto('mails')
    .values({ ...mail, company_id: companyId, created_at: now, failed_at: now, last_error: 'Unknown mailbox' })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** A shop is filled more than once, and may not invite people as often. */
async function somebodyInvited(shop: Shop): Promise<{ token: string }> {
  const { users } = (await shop.get('/api/users.json')).body
  return users.find(({ valid }: Wire) => !valid) ?? anInvitedUser(shop)
}

/** A key that stays on the list of a program while its customers take those before it. */
async function aFreeKey(shop: Shop, program: Wire): Promise<{ id: number }> {
  await importKeys(shop, program, someKeys(20))
  return (await shop.get(`/api/products/${program.id}/keys.json`)).body.software_keys.at(-1)
}

/** The product of another company that a mirror shows. */
async function originalOf(shop: Shop, { id }: Wire): Promise<{ id: number }> {
  const { market_products } = (await shop.get('/api/market_products.json')).body
  return market_products.find(({ mirror }: Wire) => mirror?.id === id)
}

/** Fills a shop with one of everything. */
export async function fill(service: Service, shop: Shop): Promise<Things> {
  const category = (await shop.post('/api/categories.json', { category: { title: 'Own' } })).body.category
  const categories = [{ category_id: category.id }]
  // Software, because its customers have a key too.
  const product = { product_type: 4, title: 'Own', categories }
  const entry = { companyId: shop.companyId, action: 'signed in', subject: 'Own' } as const
  await inTransaction(service.db, (tx) => record(tx, entry, COMMAND_LINE, service.clock.now()))
  const customer = await aCustomer(shop, { addresses: [{ city: 'Own' }, { city: 'Other' }] })
  const buyer = { customer_token: customer.token }
  // One is shipped and one is not: each has its list.
  const goods = [await someGoods(service, shop)]
  await ship(shop, (await orderOf(shop, goods, buyer)).id)
  // What is sold for another shop is in the ledger.
  const mirror = await aMirroredFilm(service, shop)
  const owned = (await shop.post('/api/products.json', { product })).body.product
  const plan = await aPlan(service, shop)
  const things = {
    order: await orderOf(shop, [...goods, mirror], buyer),
    payment: await aFlaggedPayment(service, shop, customer, goods),
    app: { id: shop.appId },
    customer,
    category,
    product: owned,
    key: await aFreeKey(shop, owned),
    file: await upload(service, shop, owned, Buffer.from([0, 1, 2, 255]), { name: 'own.bin' }),
    csvImport: await aCsvImport(service, shop),
    themeSetting: (await shop.post('/api/themesettings.json', { ThemeSetting: {} })).body.ThemeSetting,
    license: await aLicense(service, shop),
    price: await aPrice(service, shop),
    ...(await fillTerms(shop)),
    review: await aReview(service, shop, { productKey: owned.id, customerId: customer.id }),
    subscriber: await aSubscriber(shop),
    group: await aGroupWith(shop, customer.token),
    plan,
    // A plan that somebody has signed up to is kept.
    subscription: await aSubscription(shop, await aPlan(service, shop)),
    groupMember: await aGroupMember(shop),
    newsRecipient: await aNewsRecipient(shop),
    marketId: await anOffer(service, shop),
    marketProduct: await originalOf(shop, mirror),
    company: { id: shop.companyId },
    user: (await shop.get(`/api/users/${shop.userId}.json`)).body.user,
    invited: await somebodyInvited(shop),
    mail: await aFailedMail(service, shop),
    ...(await fillWebhooks(shop)),
    ...(await fillCodes(shop, owned.product_id, customer.token)),
    ...(await fillContent(shop, customer.token)),
  }
  await aPublication(service, shop)
  await aFailedCopy(service, shop, { file_id: things.file.id, entitlement_id: things.entitlement.id })
  await shop.post(`/api/orders/${things.payment.order_id}/invoice.json`)
  const { invoice } = (await shop.post(`/api/orders/${things.order.id}/invoice.json`)).body
  const deviceLicense = await aStoredLicense(service, shop, {
    file_id: things.file.id,
    entitlement_id: things.entitlement.id,
    customer_id: customer.id,
  })
  const { note } = (await shop.post(`/api/orders/${things.order.id}/notes.json`, { note: { text: 'Own' } })).body
  // Events are shown once they have their positions.
  const dispatch = () => inTransaction(service.db, (tx) => dispatchEvents(tx, 0, service.clock.now()))
  while ((await dispatch()).events > 0);
  return { ...things, invoice, note, deviceLicense }
}

/** A token that has one scope alone. The scope of customers needs one of them. */
export function holderOf(shop: Shop, scope: Scope, { customer }: Things): Promise<Shop> {
  return isForCustomer(scope) ? shop.asCustomer(customer.id) : shop.withScopes(scope)
}
