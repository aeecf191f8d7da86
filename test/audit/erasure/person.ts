import assert from 'node:assert/strict'
import { ownerPage } from '../../admin.ts'
import { aGroupMember, aNewsRecipient } from '../../audience.ts'
import { anEpub, aPdf } from '../../books.ts'
import { CARDS, type OpenShop, openCheckout, pay, put, tell } from '../../checkout.ts'
import { anEmail } from '../../customers.ts'
import type { Wire } from '../../factories.ts'
import type { Service, Shop } from '../../harness.ts'
import { aCsvImport, importsOf } from '../../imports.ts'
import { aDevice, anOwnedFilm, taken } from '../../offline-apps.ts'
import { aFilm, someGoods } from '../../orders.ts'
import { enterShop, ownedContent } from '../../owned-content.ts'
import { aProtectedBook, aReadingLicense } from '../../reading-licenses.ts'
import { ship } from '../../shipping.ts'
import { aClub, signUp } from '../../subscriptions.ts'
import type { Visitor } from '../../visitor.ts'
import { aWebhook } from '../../webhooks.ts'

/** Whom nobody else is called like. */
export const PERSON = {
  email: 'Quirin.Quellfink@needle.example',
  first_name: 'Quirinus',
  last_name: 'Quellfinkel',
  address1: 'Nadelkissenweg 77',
  city: 'Quellenhausen',
  zip: '10115',
  phone: '+49 30 5544332211',
}
const DEVICE = 'quellfink-television'
const ADDRESS = '203.0.113.177'
const BOOK_TERMS = { drm: 0, stamp_name: 1, allow_download: 1 }

export type KnownCustomer = { at: OpenShop; customer: Wire; needles: Record<string, string> }

/** Somebody who buys as a guest and comes back: the account, its addresses, a basket that is left. */
async function buysAsGuest(service: Service, at: OpenShop): Promise<Wire> {
  // The sign-up is never finished.
  await at.guest().post(`${at.base}/register`, { email: PERSON.email, first_name: PERSON.first_name, last_name: 'R' })
  await service.runJobs()
  const guest = at.guest()
  await put(guest, at.base, await aFilm(service, at.shop))
  const goods = await someGoods(service, at.shop)
  await put(guest, at.base, goods)
  await tell(guest, at.base, { ...PERSON, accepts_marketing: '1' })
  const answer = await pay(guest, at.base)
  assert.match(answer.text, /Thank you/)
  await service.runJobs()
  const { customers } = (await at.shop.get(`/api/customers/search.json?query=email:${PERSON.email}`)).body
  assert.equal(customers.length, 1)
  const { orders } = (await at.shop.get(`/api/orders.json?customer_token=${customers[0].token}`)).body
  await ship(at.shop, orders[0].id, { tracking_number: 'QX1' })
  await at.shop.post(`/api/orders/${orders[0].id}/notes.json`, { note: { text: `Called ${PERSON.first_name} back.` } })
  const declared = {
    order: String(orders[0].id),
    email: PERSON.email,
    goods: 'All',
    reason: `I am ${PERSON.last_name}`,
  }
  assert.equal((await at.guest().post(`${at.base}/withdrawal`, declared)).status, 303)
  // Baskets that were left: as a guest, and signed in.
  const again = at.guest()
  await put(again, at.base, goods)
  await tell(again, at.base, { ...PERSON })
  return customers[0]
}

/** Gives a film to somebody, and gets one. */
async function givesAndGets(service: Service, at: OpenShop): Promise<void> {
  const film = await aFilm(service, at.shop)
  for (const [from, to] of [
    [PERSON.email, anEmail()],
    [anEmail(), PERSON.email],
  ] as const) {
    const guest = at.guest()
    await put(guest, at.base, film)
    const isGiver = from === PERSON.email
    const gift_from = isGiver ? `${PERSON.first_name} ${PERSON.last_name}` : 'Marta'
    const gift_name = isGiver ? 'Lena' : PERSON.first_name
    const gift = { is_gift: '1', gift_email: to, gift_name, gift_from, gift_message: `To you, from ${gift_from}` }
    await tell(guest, at.base, { email: from, ...gift })
    await pay(guest, at.base)
    await service.runJobs()
  }
}

/** Has everything that apps keep about customers. */
async function isKnownToApps(service: Service, { shop }: OpenShop, customer: Wire): Promise<void> {
  const { token } = customer
  await aWebhook(shop, 'https://example.com/customers', 'customer/update')
  await aWebhook(shop, 'https://example.com/orders', 'order/create')
  const film = await aFilm(service, shop)
  const line_items = [{ product_id: film.product_id, quantity: 1 }]
  const sold = { customer_token: token, line_items, browser_ip: ADDRESS, device_id: DEVICE, note: PERSON.last_name }
  const order = await shop.post('/api/orders.json', { order: sold }, { 'idempotency-key': 'one' })
  assert.equal(order.status, 201, order.text)
  const invoice = await shop.post(`/api/orders/${order.body.order.id}/invoice.json`)
  assert.ok(invoice.status < 300, invoice.text)
  await shop.put(`/api/customers/${token}.json`, { customer: { note: `Knows ${PERSON.last_name}`, ...PERSON } })
  await aGroupMember(shop, { email: PERSON.email })
  await aNewsRecipient(shop, { email: PERSON.email })
  const device = { device_id: DEVICE, name: `${PERSON.first_name}'s television` }
  assert.equal((await shop.post(`/api/customers/${token}/devices.json`, { device })).status, 201)
  const { content } = (await shop.get(`/api/customers/${token}/content.json`)).body
  await shop.post(`/api/entitlements/${content[0].id}/use.json`, { use: { action: 'play', device: DEVICE } })
  const redemption_code = { product_id: film.product_id, uses: 9 }
  const { redemption_codes } = (await shop.post('/api/redemption_codes.json', { redemption_code })).body
  await shop.post(`/api/customers/${token}/redeem.json`, { redeem: { code: redemption_codes[0].code } })
  await shop.asCustomer(customer.id)
}

/** Has films and books with the name in them, and licenses for apps. */
async function ownsFiles(service: Service, { shop, base }: OpenShop, customer: Wire): Promise<void> {
  for (const [bytes, name] of [
    [anEpub(), 'tern.epub'],
    [Buffer.from(await aPdf(2)), 'tern.pdf'],
  ] as const) {
    const owned = await ownedContent(service, shop, {
      customer,
      files: [{ bytes, name }],
      terms: BOOK_TERMS,
      product: { product_type: 16 },
    })
    const download = { file_id: owned.files[0]?.id }
    await Promise.all([shop.post(`/api/entitlements/${owned.id}/download.json`, { download }), service.runJobs()])
    await service.runJobs()
    const asked = await shop.post(`/api/entitlements/${owned.id}/download.json`, { download })
    assert.equal(asked.status, 200, asked.text)
  }
  const book = await aProtectedBook(service, { shop, customer })
  await aReadingLicense(service, shop, book.id)
  const film = await anOwnedFilm(service, { shop, customer })
  await taken(service, film, await aDevice(DEVICE))
  const visitor = await enterShop(service, shop, base, customer)
  const played = await visitor.post(`${base}/my-content/${film.id}/play`, {}, { accept: 'application/json' })
  assert.equal(played.status, 200, played.text)
  await reviews(service, shop, base, visitor)
}

async function reviews(service: Service, shop: Shop, base: string, visitor: Visitor): Promise<void> {
  const [settings] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
  const allowed = { allow_reviews: true, newsletter_enabled: true }
  await shop.put(`/api/themesettings/${settings.id}.json`, { ThemeSetting: allowed })
  const { products } = (await shop.get('/api/products.json')).body
  const [film] = products
  const said = { stars: '5', text: 'Good.', name: PERSON.first_name }
  await visitor.post(`${base}/products/${film.id}/review`, said)
  await visitor.post(`${base}/account/wish-list`, { product: String(film.id) })
  await visitor.post(`${base}/newsletter`, { email: PERSON.email })
  await visitor.get(`${base}/account/export`)
  assert.equal((await visitor.post(`${base}/account/deletion`, {})).status < 500, true)
  const { cookies } = visitor
  assert.ok(cookies.size > 0)
  await service.runJobs()
}

/** Subscribes, and is in the files of an import. */
async function isOnLists(service: Service, { shop }: OpenShop, customer: Wire): Promise<void> {
  const { plan } = await aClub(service, {}, shop)
  await signUp(shop, { plan_id: plan.id, test_card: CARDS.pays.replaceAll(' ', ''), customer_token: customer.token })
  const { work } = importsOf(service)
  const csv = `email,first_name,last_name\n${PERSON.email},${PERSON.first_name},${PERSON.last_name}\n`
  await work(shop, await aCsvImport(service, shop, csv), '/run')
  await aCsvImport(service, shop, csv)
  const page = await ownerPage(service, shop)
  await page.put(`/customers/${customer.token}/state.json`, { customer: { state: 'disabled' } })
  await page.put(`/customers/${customer.token}/state.json`, { customer: { state: 'enabled' } })
}

/** A customer about whom the service knows everything that it can. */
export async function aWellKnownCustomer(service: Service): Promise<KnownCustomer> {
  const at = await openCheckout(service)
  const company = { company_name: 'Books & Co', street: 'Am Markt 2', zip: '20095', city: 'Hamburg' }
  assert.equal((await at.shop.put(`/api/companies/${at.shop.companyId}.json`, { company })).status, 200)
  const customer = await buysAsGuest(service, at)
  await givesAndGets(service, at)
  await isKnownToApps(service, at, customer)
  await ownsFiles(service, at, customer)
  await isOnLists(service, at, customer)
  await service.runJobs()
  const { zip: _zip, ...needles } = PERSON
  return { at, customer, needles: { ...needles, token: customer.token, device: DEVICE, 'network address': ADDRESS } }
}
