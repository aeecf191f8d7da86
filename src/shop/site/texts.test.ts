import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm, readOrder, someGoods } from '#test/orders.ts'
import { offer } from '#test/payments.ts'
import { visit } from '#test/visitor.ts'

const service = useService()
const OURS = { 'sec-fetch-site': 'same-origin', 'accept-language': 'en' }
const NAMES = ['about', 'imprint', 'terms', 'withdrawal', 'privacy']
const EVIL =
  '<script>alert(1)</script><img src=x onerror=alert(2)><form action="//evil.example"><input></form><p>Kept</p>'

async function open(locales: object[] = []) {
  service.app.baseUrl = service.url
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const base = `/shop/${id}`
  await change(shop, id, { locales })
  return { shop, id, base, as: (language: string) => visit(service.url, { ...OURS, 'accept-language': language }) }
}

async function change(shop: Shop, id: number, ThemeSetting: object): Promise<void> {
  const answer = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })
  assert.equal(answer.status, 200, answer.text)
}

const mainOf = ({ text }: { text: string }) => /<main[\s\S]*<\/main>/.exec(text)?.[0] ?? ''

describe('the legal texts of a shop', () => {
  test('are pages in the language of the visitor, or in one that has the text', async () => {
    const { base, as } = await open([
      { language_id: 'en', terms: '<h1>Our terms</h1><p>Be kind.</p>', imprint: 'Main Street 1\nBerlin' },
      { language_id: 'de', terms: '<p>Unsere AGB</p>' },
    ])
    const german = await as('de').get(`${base}/pages/terms`)
    assert.match(german.text, /<link rel="canonical" href="https?:\/\/[^"]+\/pages\/terms">/)
    assert.match(german.text, new RegExp(`name="return_to" value="${base}/pages/terms"`))
    assert.equal(german.status, 200)
    assert.match(german.text, /<title>AGB · /)
    assert.match(mainOf(german), /<div class="prose" lang="de" dir="auto"><p>Unsere AGB<\/p><\/div>/)
    assert.match(mainOf(await as('en').get(`${base}/pages/terms`)), /<h3>Our terms<\/h3><p>Be kind\.<\/p>/)
    assert.match(mainOf(await as('de').get(`${base}/pages/imprint`)), /lang="en" dir="auto"><p>Main Street 1<br/)
  })

  test('in a language that does not exist keep nobody out of the shop', async () => {
    const { base, as, id } = await open([{ language_id: 'xx', shop_name: 'Odd', terms: '<p>Odd terms</p>' }])
    // The API refuses such a code, but has not always done so.
    const odd = (column: string) => sql`replace(${sql.ref(column)}::text, '"xx"', '"xx-12"')::json`
    await sql`update theme_settings set locales = ${odd('locales')}, page_locales = ${odd('page_locales')}
      where id = ${id}`.execute(service.db)
    for (const language of ['en', 'xx-12']) {
      assert.equal((await as(language).get(base)).status, 200, language)
      assert.match(mainOf(await as(language).get(`${base}/pages/terms?lang=xx-12`)), /Odd terms/, language)
    }
  })

  test('have a page and links only where the owner wrote something', async () => {
    const { shop, id, base, as } = await open()
    const guest = as('en')
    for (const name of [...NAMES, 'nothing', '__proto__'])
      assert.equal((await guest.get(`${base}/pages/${name}`)).status, 404, name)
    assert.doesNotMatch((await guest.get(base)).text, /\/pages\//)
    // An editor leaves empty tags behind.
    await change(shop, id, { locales: [{ language_id: 'en', about: '<p><br></p>', privacy: '<p>None kept.</p>' }] })
    const { text } = await guest.get(base)
    assert.deepEqual(text.match(/\/pages\/\w+/g), ['/pages/privacy'])
    assert.match(text, new RegExp(`<a href="${base}/pages/privacy">Privacy</a>`))
    assert.equal((await guest.get(`${base}/pages/about`)).status, 404)
  })

  test('run no script and ask for nothing', async () => {
    const { base, as } = await open([{ language_id: 'en', ...Object.fromEntries(NAMES.map((name) => [name, EVIL])) }])
    for (const name of NAMES) {
      const main = mainOf(await as('en').get(`${base}/pages/${name}`))
      assert.match(main, /<p>Kept<\/p>/, name)
      assert.doesNotMatch(main, /alert|<script|<img|<form|<input/, name)
    }
  })

  test('stand beside the order button', async () => {
    const { shop, id, base, as } = await open()
    await offer(service, shop, { test: { enabled: true } })
    const { product_id } = await aFilm(service, shop)
    const guest = as('en')
    await guest.post(`${base}/cart`, { product_id })
    await guest.get(`${base}/checkout`)
    const atEnd = await guest.follow(await guest.submit(`${base}/checkout`, { country: 'DE', email: 'a@example.com' }))
    assert.match(mainOf(atEnd), /You buy from/)
    assert.doesNotMatch(mainOf(atEnd), /you accept|\/pages\//)
    const texts = { about: 'Us', terms: 'Ours', withdrawal: '14 days', privacy: 'None kept' }
    await change(shop, id, { locales: [{ language_id: 'en', ...texts }] })
    const main = mainOf(await guest.get(`${base}/checkout/pay`))
    assert.match(main, new RegExp(`By ordering you accept the <a href="${base}/pages/terms">terms</a> of [^<]+\\.<br>`))
    assert.deepEqual(main.match(/\/pages\/\w+/g), ['/pages/terms', '/pages/withdrawal', '/pages/privacy'])
  })
})

describe('a withdrawal', () => {
  const HOME = { first_name: 'Jane', last_name: 'Roe', address1: 'Main Street 1', zip: '10115', city: 'Berlin' }

  async function writeTo(shop: Shop, email: string): Promise<void> {
    const answer = await shop.put(`/api/companies/${shop.companyId}.json`, { company: { email } })
    assert.equal(answer.status, 200, answer.text)
  }

  /** Somebody buys goods without an account. */
  async function buyGoods({ shop, base, as }: Awaited<ReturnType<typeof open>>, email: string) {
    await offer(service, shop, { test: { enabled: true } })
    const { product_id } = await someGoods(service, shop, 5)
    const guest = as('en')
    await guest.post(`${base}/cart`, { product_id })
    await guest.get(`${base}/checkout`)
    await guest.follow(await guest.submit(`${base}/checkout`, { country: 'DE', email, ...HOME }))
    const paid = await guest.submit(`${base}/checkout/pay`, { gateway: 'Test', card: '4242 4242 4242 4242' })
    const page = await guest.follow(paid)
    await service.runJobs()
    return { page, id: Number(/Order #(\d+)/.exec(page.text)?.[1]) }
  }

  async function mailsTo(address: string) {
    await service.runJobs()
    const mails = service.db.selectFrom('mails').select(['subject', 'text', 'html']).where('recipient', '=', address)
    return mails.orderBy('id').execute()
  }

  const declared = ({ shop }: { shop: Shop }, id: number) => shop.get(`/api/orders/${id}/withdrawals.json`)

  test('is declared by anybody with the number and the address, kept with the order, and confirmed', async () => {
    const place = await open([{ language_id: 'en', shop_name: 'Books & Co' }])
    const { shop, base } = place
    await writeTo(shop, 'owner@withdrawn.example')
    const { page, id } = await buyGoods(place, 'jane@withdrawn.example')
    assert.ok(page.text.includes(`<a href="${base}/withdrawal?order=${id}">Withdraw from a purchase</a>`), page.text)
    const [confirmation] = await mailsTo('jane@withdrawn.example')
    assert.ok(confirmation?.text?.includes(`${base}/withdrawal?order=${id}`), confirmation?.text ?? '')
    assert.deepEqual((await declared(place, id)).body, { withdrawals: [] })

    const stranger = place.as('de')
    assert.match((await stranger.get(base)).text, new RegExp(`<a href="${base}/withdrawal">`))
    await stranger.get(`${base}/withdrawal?order=${id}`)
    const typed = { email: 'Jane@Withdrawn.example', goods: '<img src=x onerror=alert(1)>', reason: 'Too <b>blue' }
    const sent = await stranger.submit(`${base}/withdrawal`, typed)
    assert.deepEqual([sent.status, sent.location], [303, `${base}/withdrawal/received`])
    const [, receipt] = await mailsTo('jane@withdrawn.example')
    assert.match(receipt?.subject ?? '', new RegExp(`#${id}.*Books & Co`))
    assert.match(receipt?.text ?? '', /Received: .*\d{4}.* UTC/)
    assert.doesNotMatch(receipt?.html ?? '', /<img|<b>blue/)
    const [notice] = (await mailsTo('owner@withdrawn.example')).filter(({ subject }) =>
      /Withdrawal/.test(subject ?? ''),
    )
    assert.match(notice?.text ?? '', /Too <b>blue/)
    assert.doesNotMatch(notice?.html ?? '', /<img|<b>blue/)
    const { withdrawals } = (await declared(place, id)).body
    const { goods, reason } = typed
    assert.partialDeepStrictEqual(withdrawals, [{ order_id: id, email: 'jane@withdrawn.example', goods, reason }])
    assert.match(withdrawals[0].received_at, /^\d{4}-/)
    assert.equal((await readOrder(shop, id)).cancelled_at, null)
    assert.equal((await (await service.openShop()).get(`/api/orders/${id}/withdrawals.json`)).status, 404)
  })

  test('tells nobody whether an order exists, and writes to no stranger', async () => {
    const place = await open()
    const { base, shop } = place
    await writeTo(shop, 'owner@strange.example')
    const { id } = await buyGoods(place, 'jane@strange.example')
    const answers = []
    for (const order of [String(id), '999999999', 'INV-7']) {
      const guest = place.as('en')
      const sent = await guest.post(`${base}/withdrawal`, { order, email: `a${order}@strange.example`, goods: 'All' })
      const { status, text } = await guest.follow(sent)
      answers.push({ sent: sent.status, location: sent.location, status, text })
      assert.deepEqual(await mailsTo(`a${order}@strange.example`), [])
    }
    for (const answer of answers) assert.deepEqual(answer, answers[0])
    assert.deepEqual((await declared(place, id)).body, { withdrawals: [] })
    const notices = (await mailsTo('owner@strange.example')).filter(({ text }) =>
      /no order has this number/.test(text ?? ''),
    )
    assert.equal(notices.length, 3, 'the owner hears of each')
  })

  test('is checked, shown again as it was typed, and limited', async () => {
    const { base, as } = await open()
    const guest = as('en')
    const evil = '"><script>alert(1)</script>'
    const wrong = await guest.post(`${base}/withdrawal`, { order: evil, email: evil, goods: '', reason: evil })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /Enter which goods you give back/)
    assert.doesNotMatch(wrong.text, /<script>alert/)
    assert.doesNotMatch((await guest.get(`${base}/withdrawal?order=${encodeURIComponent(evil)}`)).text, /<script>alert/)
    const again = async () =>
      (await guest.post(`${base}/withdrawal`, { order: '1', email: 'x@y.example', goods: 'All' })).status
    service.clock.stop()
    const statuses = []
    for (let count = 0; count < 6; count++) statuses.push(await again())
    assert.deepEqual([statuses[0], statuses.at(-1)], [303, 429])
  })
})
