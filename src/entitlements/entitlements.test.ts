import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { aLicense, aPrice, aProduct, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { cancel, refund } from '#test/sales.ts'
import { run } from '#test/start/terminal.ts'
import { releaseStarted } from './release.ts'

const service = useService()

/** A film under a license of its own, and a customer who has bought it. */
async function aSale(terms: object = {}, order: object = {}, quantity = 1, product: object = {}) {
  const shop = await service.openShop()
  const license = await aLicense(service, shop, { name: 'Rent', ...terms })
  const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 499 }] })
  const film = await aProduct(shop, {
    published: true,
    price_license_binding: [{ license_id: license.id, price_id: price.id }],
    ...product,
  })
  const customer = await aBuyer(shop)
  const sold = await anOrder(shop, customer, [{ product_id: film.product_id, quantity }], order)
  return { shop, license, film, customer, order: sold, content: await contentOf(shop, customer) }
}

async function contentOf(shop: Shop, { token }: { token: string }): Promise<Wire[]> {
  const answer = await shop.get(`/api/customers/${token}/content.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.content
}

async function ask(shop: Shop, kind: 'check' | 'use', id: number, asked: object): Promise<Wire> {
  const answer = await shop.post(`/api/entitlements/${id}/${kind}.json`, { [kind]: asked })
  assert.equal(answer.status, 200, answer.text)
  return answer.body.decision
}

async function read(shop: Shop, id: number): Promise<Wire> {
  const answer = await shop.get(`/api/entitlements/${id}.json`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body.entitlement
}

/** The shop with a new token, because the old one expires while the clock moves. */
async function pass(shop: Shop, seconds: number): Promise<Shop> {
  service.clock.advance(seconds)
  return shop.asUser(shop.userId)
}

const play = { action: 'play', device: 'tv' }

describe('a sold digital line', () => {
  test('becomes an entitlement for each piece, with a copy of the license', async () => {
    const { shop, license, film, customer, order, content } = await aSale({ total_downloads: 3 }, {}, 2)
    assert.equal(content.length, 2)
    const [first] = content
    assert.deepEqual(
      { ...first, id: 0, license_title: 'Rent' },
      {
        id: 0,
        piece: 1,
        product_id: film.product_id,
        product_type: 1,
        title: film.title,
        license_id: license.id,
        license_title: 'Rent',
        hd: false,
        audio_type: null,
        num_users: null,
        terms: 'Yours to keep. 3 downloads.',
        acquired_at: order.created_at,
        starts_at: null,
        first_used_at: null,
        ends_at: null,
        remaining: { downloads: 3, exports: 0, burns: 0, prints: 0, devices: null },
        state: 'active',
        code: null,
        reason: null,
        customer_token: customer.token,
        order_id: order.id,
        line_item_id: order.line_items[0].id,
        test: false,
        revoked_at: null,
        updated_at: order.created_at,
      },
    )
    assert.deepEqual(await read(shop, first.id), first)
    await service.db
      .updateTable('licenses')
      .set({ total_downloads: 0, valid: 0 })
      .where('id', '=', license.id)
      .execute()
    assert.equal((await shop.delete(`/api/products/${film.id}.json`)).status, 200)
    assert.equal((await ask(shop, 'use', first.id, { action: 'download' })).allowed, true)
  })

  test('gives nothing yet if it has a code to redeem, or if it is goods', async () => {
    const { content } = await aSale({}, { generate_codes: true })
    assert.deepEqual(content, [])
  })

  test('gives content under a license that also ships a carrier', async () => {
    const { content } = await aSale({ type: 3 })
    assert.equal(content.length, 1)
  })

  test('waits until the order is confirmed, and its time begins then', async () => {
    let { shop, customer, order, content } = await aSale({ expire_after_acquisition: 2 }, { confirmed: false })
    assert.deepEqual([content[0].state, content[0].code], ['suspended', 'order_not_confirmed'])
    assert.equal((await ask(shop, 'use', content[0].id, play)).code, 'order_not_confirmed')
    shop = await pass(shop, 3 * 3600)
    assert.equal((await shop.put(`/api/orders/${order.id}.json`, { order: { confirmed: true } })).status, 200)
    const [confirmed] = await contentOf(shop, customer)
    assert.equal(confirmed.state, 'active')
    assert.equal((await ask(shop, 'use', content[0].id, play)).allowed, true)
  })

  test('of a product that is ordered in advance starts at its release, also if that is moved', async () => {
    const start = () => inTransaction(service.db, (tx) => releaseStarted(tx, service.clock.now()))
    const at = (hours: number) => new Date(service.clock.now().getTime() + hours * 3_600_000).toISOString()
    let { shop, film, customer, content } = await aSale({}, {}, 1, { published_at: at(24), pre_sales: true })
    assert.deepEqual([content[0].state, content[0].code], ['not_started', 'not_released'])
    assert.equal((await ask(shop, 'check', content[0].id, play)).code, 'not_released')
    assert.equal((await shop.put(`/api/products/${film.id}.json`, { product: { published_at: at(48) } })).status, 200)
    shop = await pass(shop, 30 * 3600)
    await start()
    assert.equal((await contentOf(shop, customer))[0].state, 'not_started')
    shop = await pass(shop, 20 * 3600)
    assert.equal((await ask(shop, 'check', content[0].id, play)).allowed, true)
    await start()
    assert.equal((await shop.put(`/api/products/${film.id}.json`, { product: { published_at: at(99) } })).status, 200)
    assert.equal((await contentOf(shop, customer))[0].state, 'active')
  })
})

describe('a collection', () => {
  async function aCollection(type: number) {
    const shop = await service.openShop()
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 999 }] })
    const license = await aLicense(service, shop, { total_downloads: 2 })
    const [film, book] = [
      await aProduct(shop, { title: 'Film' }),
      await aProduct(shop, { title: 'Book', product_type: 16 }),
    ]
    const bundle = await aProduct(shop, {
      title: 'Both',
      product_type: type,
      included_products: [{ product_id: film.product_id }, { product_id: book.product_id }],
      price_license_binding: [{ license_id: license.id, price_id: price.id }],
    })
    return { shop, film, book, bundle, customer: await aBuyer(shop) }
  }

  test('gives each of its parts, and a refund of one piece takes its parts', async () => {
    const { shop, film, book, bundle, customer } = await aCollection(8)
    assert.deepEqual(
      bundle.included_products.map(({ product_id }: Wire) => product_id),
      [film.product_id, book.product_id],
    )
    const order = await anOrder(shop, customer, [{ product_id: bundle.product_id, quantity: 2 }])
    const content = await contentOf(shop, customer)
    assert.deepEqual(
      content.map(({ title, product_type, product_id }) => [title, product_type, product_id]),
      [...Array(2).fill(['Film', 1, film.product_id]), ...Array(2).fill(['Book', 16, book.product_id])],
    )
    await refund(shop, order.id, { refund_line_items: [{ line_item_id: order.line_items[0].id, quantity: 1 }] })
    const left = (await contentOf(shop, customer)).filter(({ state }) => state === 'active')
    assert.deepEqual(
      left.map(({ title, piece }) => [title, piece]),
      [
        ['Film', 1],
        ['Book', 1],
      ],
    )
  })

  test('of which one is chosen gives the chosen one', async () => {
    const { shop, film, book, bundle, customer } = await aCollection(21)
    const line = (chosen?: string) => ({
      order: {
        customer_token: customer.token,
        line_items: [{ product_id: bundle.product_id, chosen_product_id: chosen }],
      },
    })
    const refused = await shop.post('/api/orders.json', line())
    assert.deepEqual([refused.status, Object.keys(refused.body.errors)], [422, ['line_items[0].chosen_product_id']])
    assert.equal((await shop.post('/api/orders.json', line(bundle.product_id))).status, 422)
    const sold = await shop.post('/api/orders.json', line(book.product_id.toLowerCase()))
    assert.equal(sold.body.order.line_items[0].chosen_product_id, book.product_id)
    assert.deepEqual(
      (await contentOf(shop, customer)).map(({ product_id }) => product_id),
      [book.product_id],
    )
    assert.notEqual(film.product_id, book.product_id)
  })

  test('includes digital products of its company only', async () => {
    const { shop, bundle, film } = await aCollection(8)
    const stranger = await service.openShop()
    const [theirs, goods] = [await aProduct(stranger), await aProduct(shop, { product_type: 6 })]
    for (const product of [theirs, goods, bundle]) {
      const answer = await shop.put(`/api/products/${bundle.id}.json`, {
        product: { included_products: [{ product_id: product.product_id }] },
      })
      assert.deepEqual([answer.status, Object.keys(answer.body.errors)], [422, ['included_products[0].product_id']])
    }
    const onFilm = await shop.put(`/api/products/${film.id}.json`, {
      product: { included_products: [{ product_id: bundle.product_id }] },
    })
    assert.equal(onFilm.status, 422)
  })
})

describe('what was sold is taken back', () => {
  test('by a refund, piece by piece, those that nobody has used first', async () => {
    const { shop, customer, order, content } = await aSale({}, {}, 3)
    await ask(shop, 'use', content[2].id, play)
    const [line] = order.line_items
    await refund(shop, order.id, { refund_line_items: [{ line_item_id: line.id, quantity: 2 }] })
    const after = await contentOf(shop, customer)
    assert.deepEqual(
      after.map(({ state, code }) => [state, code]),
      [
        ['revoked', 'refunded'],
        ['revoked', 'refunded'],
        ['active', null],
      ],
    )
    assert.equal((await ask(shop, 'use', content[0].id, play)).code, 'refunded')
    await refund(shop, order.id, { all: true })
    assert.equal((await read(shop, content[2].id)).state, 'revoked')
  })

  test('by a cancellation, and by the owner, who can give it back', async () => {
    const { shop, order, content } = await aSale({}, {}, 2)
    const [one] = content
    const revoked = await shop.post(`/api/entitlements/${one.id}/revoke.json`)
    assert.deepEqual([revoked.status, revoked.body.entitlement.code], [200, 'withdrawn'])
    assert.equal((await ask(shop, 'check', one.id, play)).code, 'withdrawn')
    const restored = await shop.post(`/api/entitlements/${one.id}/restore.json`)
    assert.deepEqual([restored.status, restored.body.entitlement.state], [200, 'active'])
    assert.equal((await ask(shop, 'check', one.id, play)).allowed, true)
    await cancel(shop, order.id)
    assert.equal((await ask(shop, 'check', one.id, play)).code, 'cancelled')
  })
})

describe('check and use', () => {
  test('ask the same engine; only a use counts and starts the time', async () => {
    let { shop, content } = await aSale({ total_downloads: 1, expire_after_first_use: 48 })
    const [{ id }] = content
    const checked = await ask(shop, 'check', id, { action: 'download' })
    assert.deepEqual(
      [checked.allowed, checked.code, checked.reason, checked.remaining.downloads],
      [true, 'allowed', null, 1],
    )
    assert.notEqual(checked.until, null)
    assert.equal((await read(shop, id)).first_used_at, null)
    const used = await ask(shop, 'use', id, { action: 'download' })
    assert.deepEqual([used.allowed, used.remaining.downloads], [true, 0])
    const refused = await ask(shop, 'use', id, { action: 'download' })
    assert.deepEqual(
      [refused.allowed, refused.code, refused.reason],
      [false, 'downloads_used_up', 'All downloads are used up.'],
    )
    shop = await pass(shop, 48 * 3600)
    assert.equal((await ask(shop, 'use', id, play)).code, 'expired')
    const [listed] = (await shop.get('/api/entitlements.json')).body.entitlements
    assert.deepEqual([listed.state, listed.ends_at], ['expired', used.until])
  })

  // Without the lock each of them would see the same last download.
  test('give the last download to one of a hundred', async () => {
    const { shop, content } = await aSale({ total_downloads: 3 })
    const decisions = await Promise.all(
      Array.from({ length: 100 }, () => ask(shop, 'use', content[0].id, { action: 'download' })),
    )
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 3)
    assert.equal((await read(shop, content[0].id)).remaining.downloads, 0)
  })

  test('of the same device at once hold one place', async () => {
    const { shop, content } = await aSale({ total_concurrent_devices: 2 })
    const decisions = await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        ask(shop, 'use', content[0].id, { action: 'play', device: `d${number % 3}` }),
      ),
    )
    assert.equal(new Set(decisions.filter(({ allowed }) => allowed).map(({ remaining }) => remaining.devices)).size, 2)
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 20)
  })

  test('keep every use and refusal, and explain each rule in order', async () => {
    const { shop, content } = await aSale({ total_downloads: 1 })
    const [{ id }] = content
    await ask(shop, 'use', id, { action: 'download', country: 'FR' })
    await ask(shop, 'use', id, { action: 'download' })
    await ask(shop, 'check', id, { action: 'download' })
    await ask(shop, 'check', id, { action: 'download' })
    const { uses } = (await shop.get(`/api/entitlements/${id}/uses.json`)).body
    assert.deepEqual(
      uses.map(({ kind, action, code, country }: Wire) => [kind, action, code, country]),
      [
        ['use', 'download', 'allowed', 'FR'],
        ['use', 'download', 'downloads_used_up', null],
        ['check', 'download', 'downloads_used_up', null],
      ],
    )
    const { explanation } = (await shop.get(`/api/entitlements/${id}/explain.json?action=download`)).body
    assert.deepEqual(
      explanation.rules.map(({ rule, verdict }: Wire) => [rule, verdict]),
      [
        ['revoked', 'passed'],
        ['confirmed', 'passed'],
        ['released', 'passed'],
        ['expiry', 'passed'],
        ['clock', 'passed'],
        ['action', 'passed'],
        ['device', 'passed'],
        ['count', 'refused'],
      ],
    )
    assert.deepEqual(
      [explanation.rules[7].input.total_downloads, explanation.rules[7].input.downloads, explanation.decision.code],
      [1, 1, 'downloads_used_up'],
    )
    assert.equal((await shop.get(`/api/entitlements/${id}/uses.json`)).body.uses.length, 3)
  })

  test('speak the language of the customer, also after it has changed', async () => {
    const { shop, customer, content } = await aSale({ total_downloads: 1 })
    await shop.put(`/api/customers/${customer.token}.json`, { customer: { language: 'de' } })
    assert.equal((await contentOf(shop, customer))[0].terms, 'Unbefristet. 1 Download.')
    await ask(shop, 'use', content[0].id, { action: 'download' })
    const { reason } = await ask(shop, 'use', content[0].id, { action: 'download' })
    assert.equal(reason, 'Alle Downloads sind verbraucht.')
  })

  test('refuse what cannot be read, and count nothing', async () => {
    const { shop, content } = await aSale({ total_concurrent_devices: 1 })
    const [{ id }] = content
    for (const asked of [
      { action: 'copy' },
      {},
      { action: 'play', device: '' },
      { action: 'play', device: 'x'.repeat(1_000_000) },
      { action: 'play', device: true },
      { action: 'play', client_time: 'yesterday' },
      { action: 'print', pages: 0 },
    ]) {
      const answer = await shop.post(`/api/entitlements/${id}/use.json`, { use: asked })
      assert.ok([422, 413].includes(answer.status), `${JSON.stringify(asked).slice(0, 80)}: ${answer.status}`)
    }
    assert.equal((await shop.post(`/api/entitlements/${id}/use.json`, { check: play })).status, 400)
    assert.equal((await read(shop, id)).first_used_at, null)
    assert.equal((await shop.get(`/api/entitlements/${id}/uses.json`)).body.uses.length, 0)
  })

  test('are not for strangers, and not for other scopes', async () => {
    const { shop, customer, content } = await aSale()
    const stranger = await service.openShop()
    const [{ id }] = content
    const asks = (who: Shop) => [
      who.get(`/api/entitlements/${id}.json`),
      who.post(`/api/entitlements/${id}/use.json`, { use: play }),
      who.post(`/api/entitlements/${id}/check.json`, { check: play }),
      who.post(`/api/entitlements/${id}/revoke.json`),
      who.get(`/api/entitlements/${id}/explain.json`),
      who.get(`/api/entitlements/${id}/uses.json`),
      who.get(`/api/customers/${customer.token}/content.json`),
      who.get(`/api/customers/${customer.token}/devices.json`),
    ]
    assert.deepEqual(new Set((await Promise.all(asks(stranger))).map(({ status }) => status)), new Set([404]))
    const products = await shop.withScopes('products')
    assert.deepEqual(new Set((await Promise.all(asks(products))).map(({ status }) => status)), new Set([403]))
    assert.deepEqual((await stranger.get('/api/entitlements.json')).body, { entitlements: [] })
  })
})

describe('devices', () => {
  test('hold the content with heartbeats, and give it back', async () => {
    let { shop, content } = await aSale({ total_concurrent_devices: 1 })
    const [{ id }] = content
    const beat = async (device: string) =>
      (await shop.post(`/api/entitlements/${id}/heartbeat.json`, { heartbeat: { device } })).body.decision.code
    await ask(shop, 'use', id, play)
    assert.equal((await ask(shop, 'use', id, { action: 'play', device: 'phone' })).code, 'device_limit')
    shop = await pass(shop, 14 * 60)
    assert.equal(await beat('tv'), 'allowed')
    shop = await pass(shop, 14 * 60)
    assert.equal(await beat('phone'), 'device_limit')
    const released = await shop.post(`/api/entitlements/${id}/release.json`, { release: { device: 'tv' } })
    assert.deepEqual([released.status, released.body], [200, {}])
    assert.equal(await beat('phone'), 'allowed')
    assert.equal(await beat('tv'), 'device_limit')
    shop = await pass(shop, 15 * 60)
    assert.equal((await read(shop, id)).remaining.devices, 1)
    assert.equal(await beat('tv'), 'allowed')
  })

  test('are registered by use, named, listed and removed, which frees their place', async () => {
    const { shop, customer, content } = await aSale({ total_concurrent_devices: 1, annual_concurrent_devices: 2 })
    const path = `/api/customers/${customer.token}/devices`
    await ask(shop, 'use', content[0].id, play)
    const [device, ...others] = (await shop.get(`${path}.json`)).body.devices
    assert.deepEqual([device.device_id, device.name, others], ['tv', '', []])
    const named = await shop.put(`${path}/${device.id}.json`, { device: { name: 'Living room' } })
    assert.equal(named.body.device.name, 'Living room')
    const registered = await shop.post(`${path}.json`, { device: { device_id: 'phone', name: 'Phone' } })
    assert.equal(registered.status, 201)
    assert.equal((await ask(shop, 'use', content[0].id, { action: 'play', device: 'phone' })).code, 'device_limit')
    assert.deepEqual((await shop.delete(`${path}/${device.id}.json`)).body, {})
    assert.equal((await ask(shop, 'use', content[0].id, { action: 'play', device: 'phone' })).allowed, true)
    assert.deepEqual(
      (await shop.get(`${path}.json`)).body.devices.map(({ name }: Wire) => name),
      ['Phone'],
    )
    await shop.delete(`${path}/${registered.body.device.id}.json`)
    assert.equal(
      (await ask(shop, 'use', content[0].id, { action: 'play', device: 'watch' })).code,
      'annual_device_limit',
    )
    assert.equal((await shop.delete(`${path}/${device.id}.json`)).status, 404)
  })
})

describe('GET /api/entitlements.json', () => {
  test('lists, filters, counts and pages', async () => {
    const { shop, film, customer, order } = await aSale({}, {}, 3)
    const other = await aBuyer(shop)
    const another = await aFilm(service, shop)
    await anOrder(shop, other, [{ product_id: another.product_id }])
    const ids = async (query: string): Promise<number[]> =>
      (await shop.get(`/api/entitlements.json${query}`)).body.entitlements.map(({ id }: Wire) => id)
    const all = await ids('')
    assert.equal(all.length, 4)
    assert.deepEqual(await ids(`?customer_token=${customer.token.toLowerCase()}`), all.slice(0, 3))
    assert.deepEqual(await ids(`?order_id=${order.id}`), all.slice(0, 3))
    assert.deepEqual(await ids(`?product_id=${another.product_id}`), all.slice(3))
    assert.deepEqual(await ids(`?product_id=${film.product_id}&limit=2&page=2`), all.slice(2, 3))
    assert.deepEqual(await ids(`?since_id=${all[1]}`), all.slice(2))
    const count = async (query: string) => (await shop.get(`/api/entitlements/count.json${query}`)).body.count
    assert.deepEqual(
      [await count(''), await count(`?order_id=${order.id}`), await count(`?since_id=${all[2]}`)],
      [4, 3, 1],
    )
    assert.deepEqual((await shop.get('/api/entitlements.json?fields=id,state&limit=1')).body.entitlements, [
      { id: all[0], state: 'active' },
    ])
  })
})

describe('licet explain', () => {
  const licet = (...args: string[]) =>
    run(args, { PORT: '0', LICET_DATA: '/nowhere', DATABASE_URL: service.database.url })

  test('shows each rule, the verdict and the uses', async () => {
    const { shop, customer, film, content } = await aSale({ total_downloads: 1 })
    const id = String(content[0].id)
    await ask(shop, 'use', content[0].id, { action: 'download', device: 'tv' })
    const { out, code } = await licet('explain', id, '--action', 'download')
    assert.equal(code, 0)
    assert.match(out, new RegExp(`^${film.title}, of customer ${customer.token}: active\n`))
    assert.match(out, /count +refused: downloads_used_up +total_downloads 1, downloads 1/)
    assert.match(out, /Download is refused: All downloads are used up\./)
    assert.match(out, /download +use +allowed +tv/)
    assert.match((await licet('explain', id)).out, /Play is allowed\./)
    assert.match(
      (await licet('content', customer.token, '--company', String(shop.companyId))).out,
      new RegExp(film.title),
    )
  })

  test('says what to do about wrong arguments', async () => {
    assert.match((await licet('explain', '987654')).err, /There is no entitlement 987654\./)
    assert.match((await licet('explain', '1', '--client-time', 'noon')).err, /It must be a time/)
    assert.match((await licet('explain', '1', '--action', 'copy')).err, /Allowed choices are play, download/)
  })
})
