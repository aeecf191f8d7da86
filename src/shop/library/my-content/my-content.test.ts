import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { wireTime } from '#platform/wire/times.ts'
import { contentOf, mailsTo, openCheckout, orderIdOn, pay, put, tell } from '#test/checkout.ts'
import { aCustomer, anEmail } from '#test/customers.ts'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aLoginToken } from '#test/login-tokens.ts'
import { aBuyer, aFilm as aFilmOf, anOrder, readOrder } from '#test/orders.ts'
import { refund } from '#test/sales.ts'
import { someVideo, upload } from '#test/uploads.ts'
import { type Visitor, visit } from '#test/visitor.ts'
import { timeLeft } from './rules.ts'

const service = useService()
const OURS = { 'sec-fetch-site': 'same-origin' }

let shop: Shop
let base: string

beforeEach(async () => {
  service.app.baseUrl = service.url
  shop ??= await service.openShop()
  base ??= `/shop/${(await shop.get('/api/themesettings.json')).body.ThemeSettings[0].id}`
})

async function aFilm(terms: object = {}, title = 'Tern Island'): Promise<Wire> {
  const license = await aLicense(service, shop, { name: 'Rent', ...terms })
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
  const price_license_binding = [{ license_id: license.id, price_id: price.id }]
  return aProduct(shop, { title, published: true, price_license_binding })
}

/** The customer comes from the site of the shop owner, and lands in My Content. */
async function enter({ token }: Wire): Promise<Visitor> {
  const visitor = visit(service.url, OURS)
  const login = await aLoginToken(service, shop, { token })
  const answer = await visitor.get(`/api/customers/login/${base.split('/').at(-1)}/${login}`)
  assert.equal(answer.location, `${base}/my-content`)
  return visitor
}

const buy = (customer: Wire, film: Wire) => anOrder(shop, customer, [{ product_id: film.product_id, quantity: 1 }])

async function ownedBy({ token }: Wire): Promise<Wire[]> {
  return (await shop.get(`/api/customers/${token}/content.json`)).body.content
}

describe('content that waits for the end of the withdrawal period', () => {
  test('starts when the customer agrees, which is confirmed by mail', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    const [film, email] = [await aFilmOf(service, at.shop), anEmail()]
    await put(guest, at.base, film)
    await tell(guest, at.base, { email })
    const id = orderIdOn(await pay(guest, at.base))
    await service.runJobs()
    const [owned] = await contentOf(at, await readOrder(at.shop, id))
    const item = `${at.base}/my-content/${owned?.id}`
    const start = (who = guest) => who.post(`${item}/start`, {})
    const before = await guest.get(item)
    assert.match(
      before.text,
      /You can use it from[\s\S]*I agree that delivery starts before[\s\S]*Agree and start right away/,
    )
    assert.notEqual((await start(at.guest())).location, item)
    assert.equal((await readOrder(at.shop, id)).withdrawal.consented, false)
    const [once] = await Promise.all([start(), start(), start()])
    assert.equal(once.location, item)
    const order = await readOrder(at.shop, id)
    assert.deepEqual([order.withdrawal.consented, order.withdrawal.usable_from], [true, null])
    const [started] = await contentOf(at, order)
    assert.deepEqual([started?.state, started?.starts_at], ['active', null])
    assert.doesNotMatch((await guest.get(item)).text, /I agree/)
    await service.runJobs()
    const mails = await mailsTo(service, email)
    assert.deepEqual([mails.length, mails.filter((mail) => mail.includes('I agree that delivery')).length], [2, 1])
  })

  test('does not start for customers who have withdrawn, nor before the release', async () => {
    const at = await openCheckout(service)
    const guest = at.guest()
    const inSixtyDays = wireTime(new Date(service.clock.now().getTime() + 60 * 86_400_000))
    const films = [
      await aFilmOf(service, at.shop),
      await aFilmOf(service, at.shop, 1190, { published_at: inSixtyDays }),
    ]
    for (const film of films) await put(guest, at.base, film)
    const email = anEmail()
    await tell(guest, at.base, { email })
    const id = orderIdOn(await pay(guest, at.base))
    const content = await contentOf(at, await readOrder(at.shop, id))
    const pageOf = async (film: Wire) => {
      const owned = content.find(({ product_id }) => product_id === film.product_id)
      return (await guest.get(`${at.base}/my-content/${owned?.id}`)).text
    }
    assert.match(await pageOf(films[0]), /Agree and start/)
    assert.doesNotMatch(await pageOf(films[1]), /Agree and start/)
    await guest.post(`${at.base}/withdrawal`, { order: `#${id}`, email, goods: 'The film', reason: '' })
    await service.runJobs()
    assert.doesNotMatch(await pageOf(films[0]), /Agree and start/)
    await guest.post(`${at.base}/my-content/${content[0]?.id}/start`, {})
    assert.equal((await readOrder(at.shop, id)).withdrawal.consented, false)
  })
})

describe('My Content', () => {
  test('asks guests to sign in', async () => {
    for (const path of ['/my-content', '/my-content/1'])
      assert.match((await visit(service.url).get(`${base}${path}`)).location ?? '', new RegExp(`^${base}/login\\?`))
  })

  test('says that nothing is there yet', async () => {
    const visitor = await enter(await aCustomer(shop))
    assert.match((await visitor.get(`${base}/my-content`)).text, /You own nothing here yet\./)
  })

  test('shows what remains, and why something cannot be used', async () => {
    const customer = await aBuyer(shop)
    await buy(customer, await aFilm({ total_downloads: 3 }, 'Usable'))
    const back = await buy(customer, await aFilm({}, 'Returned'))
    await refund(shop, back.id)
    const [usable, returned] = await ownedBy(customer)
    const { text } = await (await enter(customer)).get(`${base}/my-content`)
    assert.ok(text.includes(`<a class="item" href="${base}/my-content/${usable.id}/open">`), text)
    assert.match(text, /3 downloads left/)
    assert.ok(text.includes(`<h3>Returned</h3><p>${returned.reason}</p>`), text)
    assert.doesNotMatch(text, new RegExp(`class="item" href="${base}/my-content/${returned.id}`))
  })

  test('shows nothing that somebody else owns', async () => {
    const owner = await aBuyer(shop)
    const film = await aFilm()
    const file = await upload(service, shop, film, someVideo(), { role: 'main_sd' })
    await buy(owner, film)
    const [owned] = await ownedBy(owner)
    const stranger = await enter(await aCustomer(shop))
    assert.equal((await stranger.get(`${base}/my-content/${owned.id}`)).status, 404)
    const answer = await stranger.post(`${base}/my-content/${owned.id}/download`, { file_id: String(file.id) })
    assert.equal(answer.status, 404)
    assert.doesNotMatch((await stranger.get(`${base}/my-content`)).text, /Tern Island/)
  })

  test('gives out files as often as the license allows', async () => {
    const customer = await aBuyer(shop)
    const film = await aFilm({ total_downloads: 1, annual_downloads: -1 })
    const bytes = someVideo()
    await upload(service, shop, film, bytes, { role: 'main_sd' })
    await buy(customer, film)
    const [owned] = await ownedBy(customer)
    const visitor = await enter(customer)
    const page = await visitor.get(`${base}/my-content/${owned.id}`)
    assert.match(page.text, /<b dir="auto">film<\/b><span class="small muted">MP4, /)
    const given = await visitor.submit(/\/download$/)
    assert.equal(given.status, 303, given.text)
    assert.match(given.location ?? '', /^\/files\/\d+\/\d+\/film\.mp4\?/)
    const response = await fetch(`${service.url}${given.location}`)
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes))
    const again = await visitor.post(`${base}/my-content/${owned.id}/download`, { file_id: '' })
    assert.notEqual(again.status, 303)
    const after = await visitor.get(`${base}/my-content/${owned.id}`)
    assert.match(after.text, /No downloads left/)
    assert.match(after.text, /All downloads are used up\./)
    assert.doesNotMatch(after.text, /action="[^"]*\/download"/)
  })

  test('says nothing of downloads that were never offered', async () => {
    const customer = await aBuyer(shop)
    const film = await aFilm({ total_downloads: 0, expire_after_first_use: 48, total_concurrent_devices: 2 }, 'Rented')
    await upload(service, shop, film, someVideo(), { role: 'main_sd' })
    await buy(customer, film)
    const [owned] = await ownedBy(customer)
    const visitor = await enter(customer)
    const chips = async (path: string) => {
      const { text } = await visitor.get(`${base}${path}`)
      const [, chips = ''] = /<span class="chips">([\s\S]*?)<\/span><\/span>/.exec(text) ?? []
      return [...chips.matchAll(/<\/svg>\s*([^<]+)/g)].map(([, words]) => words)
    }
    assert.deepEqual(await chips('/my-content'), ['For 48 hours from first use', '2 devices'])
    const page = await visitor.get(`${base}/my-content/${owned.id}`)
    assert.match(page.text, /\/play">/)
    assert.doesNotMatch(page.text, /cannot be downloaded|film\.mp4|Yours/)
    await visitor.post(`${base}/my-content/${owned.id}/play`, {})
    assert.deepEqual(await chips('/my-content'), ['48 h left', '1 of 2 devices'])
  })

  test('shows the key of a program, or that it follows', async () => {
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
    const license = await aLicense(service, shop, { name: 'One device' })
    const price_license_binding = [{ license_id: license.id, price_id: price.id }]
    const program = await aProduct(shop, { product_type: 4, title: 'Nordlys', published: true, price_license_binding })
    await shop.post(`/api/products/${program.id}/keys.json`, { keys: ['NORD-0001'] })
    const [first, second] = [await aBuyer(shop), await aBuyer(shop)]
    const pageOf = async (customer: Wire) => {
      await buy(customer, program)
      const [owned] = await ownedBy(customer)
      return (await (await enter(customer)).get(`${base}/my-content/${owned.id}`)).text
    }
    assert.match(await pageOf(first), /<code id="key">NORD-0001<\/code>/)
    assert.match(await pageOf(second), /<p>It follows here as soon as there is one\.<\/p>/)
  })

  test('redeems a code, once', async () => {
    const film = await aFilm({}, 'Gift')
    const made = await shop.post('/api/redemption_codes.json', { redemption_code: { product_id: film.product_id } })
    const [{ code }] = made.body.redemption_codes
    const visitor = await enter(await aCustomer(shop))
    await visitor.get(`${base}/my-content`)
    const done = await visitor.submit(`${base}/my-content/redeem`, { code: code.toLowerCase() })
    assert.equal(done.location, `${base}/my-content?redeemed=1`)
    assert.match((await visitor.follow(done)).text, /The code was redeemed\.[\s\S]*Gift/)
    const other = await enter(await aCustomer(shop))
    const refused = await other.post(`${base}/my-content/redeem`, { code })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /id="code-error">The code was redeemed already\./)
    const mistyped = await other.post(`${base}/my-content/redeem`, { code: 'x' })
    assert.match(mistyped.text, /id="code-error">There is a typo in the code/)
  })

  // It moves the clock, so it comes last.
  test('goes on where the customer stopped, and leads to what has ended in one press', async () => {
    const customer = await aBuyer(shop)
    const film = await aFilm({}, 'Begun')
    const file = await upload(service, shop, film, someVideo(), { role: 'main_sd' })
    await buy(customer, film)
    const rented = await aFilm({ expire_after_acquisition: 1 }, 'Ended')
    await buy(customer, rented)
    const [begun] = await ownedBy(customer)
    const visitor = await enter(customer)
    assert.doesNotMatch((await visitor.get(`${base}/my-content`)).text, /id="started"/)
    const place = { file: String(file.id), seconds: '1500', duration: '6000' }
    assert.equal((await visitor.post(`${base}/my-content/${begun.id}/progress`, place)).status, 204)
    service.clock.advance(2 * 86_400)
    const { text } = await visitor.get(`${base}/my-content`)
    const [row = ''] = /<section class="row first-row"[\s\S]*?<\/section>/.exec(text) ?? []
    assert.ok(row.includes(`href="${base}/my-content/${begun.id}/play?file=${file.id}"`), text)
    assert.match(row, /<progress max="100" value="25"/)
    assert.match(row, /1 hr 15 min left/)
    assert.match(
      text,
      new RegExp(`<h3>Ended</h3><p>[^<]+</p><a class="btn compact" href="${base}/products/${rented.id}">Rent again<`),
    )
    await visitor.post(`${base}/my-content/${begun.id}/progress`, { ...place, seconds: '5990' })
    assert.doesNotMatch((await visitor.get(`${base}/my-content`)).text, /id="started"/)
  })
})

test('the time that is left is counted in hours, and in minutes at the end', () => {
  const now = new Date('2031-05-01T12:00:00Z')
  const left = (seconds: number) => timeLeft(new Date(now.getTime() + seconds * 1000), now)
  assert.deepEqual(left(24 * 3600 - 1), { unit: 'hours', count: 24 })
  assert.deepEqual(left(2 * 3600 - 120), { unit: 'hours', count: 1 })
  assert.deepEqual(left(3600 - 120), { unit: 'minutes', count: 58 })
  assert.deepEqual(left(1), { unit: 'minutes', count: 1 })
  assert.deepEqual([left(0), left(-60), left(50 * 3600), timeLeft(null, now)], Array(4).fill(undefined))
})
