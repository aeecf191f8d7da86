import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createLog } from '#platform/log/log.ts'
import { type OpenShop, openCheckout, pay, put, tell } from '#test/checkout.ts'
import { aCustomer, anEmail } from '#test/customers.ts'
import { usePictureHost, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import { assertShowsPictures, contentOf, mailsTo } from '#test/mails.ts'
import { aFilm, anOrder, setCompany } from '#test/orders.ts'
import type { Visitor } from '#test/visitor.ts'
import { countLeftCarts } from '../abandoned/left-carts.worker.ts'
import { readCartDays } from '../abandoned/queries.ts'
import { addToCart } from '../commands.ts'
import { createReminderLinks } from './links.secrets.ts'
import { remindCustomers } from './remind.worker.ts'

const server = useMailServer()
const pictures = usePictureHost()
const service = useService({ smtpUrl: server.listening })
const HOUR = 3600
const HTTPS = 'https://shops.example.com'

const chore = (baseUrl = service.url) =>
  remindCustomers(
    { db: service.db, log: createLog('silent'), links: createReminderLinks(service.vault), baseUrl },
    nowInSeconds(service.clock),
  )

/** Two workers look for carts after so many hours. */
async function after(hours: number): Promise<void> {
  service.clock.advance(hours * HOUR)
  await Promise.all([chore(), chore()])
}

async function remindersTo(email: string) {
  const mails = await mailsTo(service, server, email)
  return mails.map(contentOf).filter(({ subject }) => subject.startsWith('Your cart at '))
}

type Scene = OpenShop & { film: Wire }

/** A shop that reminds after six hours. */
async function aRemindingShop(setting: object = { cart_reminder_hours: 6 }): Promise<Scene> {
  const open = await openCheckout(service)
  const answer = await open.shop.put(`/api/themesettings/${open.id}.json`, { ThemeSetting: setting })
  assert.equal(answer.status, 200, answer.text)
  return { ...open, film: await aFilm(service, open.shop, 1190, { title: 'The Last Ferry' }) }
}

/** A guest who has put a film into the cart and entered an address. */
async function aGuestWhoLeaves({ base, guest, film }: Scene, email: string): Promise<Visitor> {
  const visitor = guest()
  await put(visitor, base, film)
  await tell(visitor, base, { email, first_name: 'Jane', last_name: 'Roe' })
  return visitor
}

const linkIn = (text: string, pattern: RegExp) => {
  const [found] = pattern.exec(text) ?? []
  assert.ok(found, text)
  return new URL(found).pathname
}

describe('a reminder', () => {
  test('goes out once, after the hours that the owner chose, with the things in the cart', async () => {
    const scene = await aRemindingShop({ cart_reminder_hours: 6, accent_color: '#7b2d72' })
    const email = anEmail()
    await aGuestWhoLeaves(scene, email)
    await after(5)
    assert.equal((await remindersTo(email)).length, 0)
    await after(2)
    await after(1)
    const [mail, ...more] = await remindersTo(email)
    assert.equal(more.length, 0)
    // Anybody could have typed the name.
    assert.doesNotMatch(mail!.text, /Jane Roe/)
    for (const part of ['The Last Ferry', '€11.90', 'Back to the cart', 'No more reminders'])
      assert.ok(mail!.text.includes(part), `${part} in ${mail!.text}`)
    assert.match(mail!.html, /background:#7b2d72/)
    assert.ok(!mail!.html.includes(email))
  })

  test('shows the pictures of the things in the cart', async () => {
    const scene = await aRemindingShop()
    const film = await aFilm(service, scene.shop, 900, { images: [{ src: pictures.url('/ferry.png') }] })
    await service.runJobs()
    const email = anEmail()
    await aGuestWhoLeaves({ ...scene, film }, email)
    await after(7)
    const [mail] = await remindersTo(email)
    await assertShowsPictures(service, mail!.html, 1)
  })

  test('is off unless the owner turns it on, and can be turned off', async () => {
    for (const setting of [{}, { cart_reminder_hours: 0 }, { cart_reminder_hours: null }]) {
      const scene = await aRemindingShop(setting)
      const { ThemeSetting } = (await scene.shop.get(`/api/themesettings/${scene.id}.json`)).body
      assert.equal(ThemeSetting.cart_reminder_hours, null)
      const email = anEmail()
      await aGuestWhoLeaves(scene, email)
      await after(30)
      assert.deepEqual(await remindersTo(email), [])
    }
  })

  test('goes to a customer in the language of the customer, and also after the cart has counted as abandoned', async () => {
    const scene = await aRemindingShop({ cart_reminder_hours: 30 })
    const { shop, id, film } = scene
    const customer = await aCustomer(shop, { language: 'de' })
    const line = { license_id: null, hd: null, audio_type: null, num_users: null, chosen_product_id: null, quantity: 2 }
    const shopper = { companyId: shop.companyId, shopId: id, customerId: Number(customer.id), token: undefined }
    await inTransaction(service.db, (tx) =>
      addToCart(tx, shopper, { ...line, product_id: film.product_id }, nowInSeconds(service.clock)),
    )
    service.clock.advance(31 * HOUR)
    await countLeftCarts(service.db, nowInSeconds(service.clock), createLog('silent'))
    await chore()
    const mails = (await mailsTo(service, server, customer.email)).map(contentOf)
    assert.deepEqual(
      mails.map(({ subject }) => /^Ihr Warenkorb bei /.test(subject)),
      [true],
    )
    assert.match(mails[0]!.text, /2 × The Last Ferry/)
  })

  test('does not go to somebody who has bought meanwhile, in whichever way', async () => {
    const scene = await aRemindingShop()
    const [here, elsewhere] = [anEmail(), anEmail()]
    await aGuestWhoLeaves(scene, here)
    await aGuestWhoLeaves(scene, elsewhere)
    const desk = await aGuestWhoLeaves(scene, here)
    service.clock.advance(60)
    await pay(desk, scene.base, { now: '1' })
    const customer = await aCustomer(scene.shop, { email: elsewhere })
    await anOrder(scene.shop, customer, [scene.film])
    await after(7)
    assert.deepEqual([...(await remindersTo(here)), ...(await remindersTo(elsewhere))], [])
  })

  test('does not come from a closed shop, of a cart that was left long ago, or of one without an address', async () => {
    const closed = await aRemindingShop({ cart_reminder_hours: 6, shop_offline: true })
    const off = await aRemindingShop()
    const late = await aRemindingShop({ cart_reminder_hours: 0 })
    const nameless = await aRemindingShop()
    const emails = [anEmail(), anEmail(), anEmail()]
    await closed.shop.put(`/api/themesettings/${closed.id}.json`, { ThemeSetting: { shop_offline: false } })
    for (const [index, scene] of [closed, off, late].entries()) await aGuestWhoLeaves(scene, emails[index]!)
    await closed.shop.put(`/api/themesettings/${closed.id}.json`, { ThemeSetting: { shop_offline: true } })
    await setCompany(service, off.shop, { shop_active: false })
    await put(nameless.guest(), nameless.base, nameless.film)
    await after(7)
    service.clock.advance(50 * HOUR)
    const owner = await late.shop.asUser(late.shop.userId)
    await owner.put(`/api/themesettings/${late.id}.json`, { ThemeSetting: { cart_reminder_hours: 6 } })
    await after(0)
    for (const email of emails) assert.deepEqual(await remindersTo(email), [])
  })

  test('goes to an address once a week, however many carts somebody fills with it', async () => {
    const scene = await aRemindingShop()
    const email = anEmail()
    for (let count = 0; count < 3; count += 1) await aGuestWhoLeaves(scene, email)
    await after(7)
    assert.equal((await remindersTo(email)).length, 1)
  })

  test('ends with one click, for the address and the company', async () => {
    const [scene, other] = [await aRemindingShop(), await aRemindingShop()]
    const email = anEmail()
    await aGuestWhoLeaves(scene, email)
    service.clock.advance(7 * HOUR)
    await chore(HTTPS)
    const [received] = await mailsTo(service, server, email)
    const header = (name: string) => received!.email.headers.find(({ key }) => key === name)?.value
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click')
    const path = new URL(/^<(.+)>$/.exec(header('list-unsubscribe') ?? '')?.[1] ?? '').pathname
    const page = await service.call('GET', path, { headers: { accept: 'text/html' } })
    assert.match(page.text, /<button class="full">No more reminders<\/button>/)
    assert.ok(!page.text.includes(email))
    const form = {
      body: 'List-Unsubscribe=One-Click',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    }
    for (let times = 0; times < 2; times += 1) {
      const answer = await service.call('POST', path, form)
      assert.deepEqual([answer.status, answer.headers.getSetCookie()], [200, []])
    }
    for (const wrong of [path.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')), '/cart-reminders/stop/x'])
      for (const method of ['GET', 'POST']) assert.equal((await service.call(method, wrong, form)).status, 410)
    service.clock.advance(8 * 24 * HOUR)
    for (const shop of [scene, other]) await aGuestWhoLeaves(shop, email.toUpperCase())
    await after(7)
    assert.equal((await remindersTo(email)).length, 2, 'one more, from the other company')
  })
})

describe('the link back to a cart', () => {
  async function aLink(scene: Scene, email = anEmail()): Promise<{ path: string; visitor: Visitor; email: string }> {
    const visitor = await aGuestWhoLeaves(scene, email)
    await after(7)
    const [mail] = await remindersTo(email)
    return { path: linkIn(mail!.text, /http\S+\/cart\/restore\/\S+/), visitor, email }
  }

  test('fills the cart of another browser, shows no address and signs nobody in', async () => {
    const scene = await aRemindingShop()
    const cheap = await aFilm(service, scene.shop, 500, { title: 'A Short One' })
    const { path, email } = await aLink(scene)
    await countLeftCarts(service.db, nowInSeconds(service.clock), createLog('silent'))
    const phone = scene.guest()
    await put(phone, scene.base, cheap)
    const page = await phone.get(path)
    assert.equal(page.status, 200, page.text)
    assert.match(page.text, /The Last Ferry/)
    assert.doesNotMatch((await phone.get(`${scene.base}/cart`)).text, /The Last Ferry/, 'opening it changes nothing')
    await phone.get(path)
    const cart = await phone.follow(await phone.submit(path))
    assert.match(cart.text, /The Last Ferry/)
    assert.match(cart.text, /A Short One/)
    for (const { text } of [page, cart, await phone.get(`${scene.base}/checkout`)])
      assert.ok(!text.includes(email) && !text.includes('Roe'))
    assert.match((await phone.get(`${scene.base}/account`)).location ?? '', /\/login/)
    service.clock.advance(25 * HOUR)
    await countLeftCarts(service.db, nowInSeconds(service.clock), createLog('silent'))
    const days = await readCartDays(service.db, scene.shop.companyId, { from: '2000-01-01', to: '2100-01-01' })
    assert.equal(
      days.reduce((sum, { order_count }) => sum + order_count, 0),
      1,
      'the cart of the phone, and no longer the one before',
    )
  })

  test('can be ended in every language that a shop may have', () => {
    const links = createReminderLinks(service.vault)
    for (const language of ['en', 'fil', 'gsw'])
      assert.equal(links.readStop(links.stopToken(1000, 'jane@example.com', language))?.language, language)
  })

  test('leads the browser that has the cart straight to it, and everybody else nowhere with another signature', async () => {
    const [scene, other] = [await aRemindingShop(), await aRemindingShop()]
    const { path, visitor } = await aLink(scene)
    assert.equal((await visitor.get(path)).location, `${scene.base}/cart`)
    const stranger = scene.guest()
    const forged = path.replace(/\/(\d+)-/, (_all, id) => `/${Number(id) - 1}-`)
    for (const wrong of [forged, path.replace(scene.base, other.base), `${scene.base}/cart/restore/x`]) {
      assert.match((await stranger.get(wrong)).location ?? '', /\/cart$/)
      await stranger.post(wrong, {})
    }
    assert.match((await stranger.get(`${scene.base}/cart`)).text, /Your cart is empty/)
  })
})
