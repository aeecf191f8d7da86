import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { statementCount, type Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { aSale, ask, contentOf, pass, play, read } from '#test/entitlements.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { run } from '#test/start/terminal.ts'
import { savePosition } from '../positions/commands.ts'
import { addUsesToDays, correctUsageDays, deleteOldUses, KEPT_DAYS } from './commands.ts'
import { readUsageDays } from './queries.ts'

const service = useService()
const MONDAY = 1

describe('check and use', () => {
  test('ask the same engine; only a use counts and starts the time', async () => {
    let { shop, content } = await aSale(service, { total_downloads: 1, expire_after_first_use: 48 })
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
    shop = await pass(service, shop, 48 * 3600)
    assert.equal((await ask(shop, 'use', id, play)).code, 'expired')
    const [listed] = (await shop.get('/api/entitlements.json')).body.entitlements
    assert.deepEqual([listed.state, listed.ends_at], ['expired', used.until])
  })

  // Without the lock each of them would see the same last download.
  test('give the last download to one of a hundred', async () => {
    const { shop, content } = await aSale(service, { total_downloads: 3 })
    const decisions = await Promise.all(
      Array.from({ length: 100 }, () => ask(shop, 'use', content[0].id, { action: 'download' })),
    )
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 3)
    assert.equal((await read(shop, content[0].id)).remaining.downloads, 0)
  })

  test('of the same device at once hold one place', async () => {
    const { shop, content } = await aSale(service, { total_concurrent_devices: 2 })
    const decisions = await Promise.all(
      Array.from({ length: 30 }, (_, number) =>
        ask(shop, 'use', content[0].id, { action: 'play', device: `d${number % 3}` }),
      ),
    )
    assert.equal(new Set(decisions.filter(({ allowed }) => allowed).map(({ remaining }) => remaining.devices)).size, 2)
    assert.equal(decisions.filter(({ allowed }) => allowed).length, 20)
  })

  test('keep every use and refusal, and explain each rule in order', async () => {
    const { shop, content } = await aSale(service, { total_downloads: 1 })
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
    const { shop, customer, content } = await aSale(service, { total_downloads: 1 })
    await shop.put(`/api/customers/${customer.token}.json`, { customer: { language: 'de' } })
    assert.equal((await contentOf(shop, customer))[0].terms, 'Unbefristet. 1 Download.')
    await ask(shop, 'use', content[0].id, { action: 'download' })
    const { reason } = await ask(shop, 'use', content[0].id, { action: 'download' })
    assert.equal(reason, 'Alle Downloads sind verbraucht.')
  })

  test('refuse what cannot be read, and count nothing', async () => {
    const { shop, content } = await aSale(service, { total_concurrent_devices: 1 })
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

  test('forget a clock that was far ahead, and mind it only where the license does', async () => {
    const opened = await aSale(service, { disable_on_clock_rollback: 1 })
    const { customer } = opened
    let { shop } = opened
    const careless = await aFilm(service, shop)
    await anOrder(shop, customer, [{ product_id: careless.product_id }])
    const [strict, other] = await contentOf(shop, customer)
    const asked = (ahead: number) => ({
      ...play,
      client_time: new Date(service.clock.now().getTime() + ahead * 1000).toISOString(),
    })
    await ask(shop, 'use', other.id, asked(3600))
    assert.equal((await ask(shop, 'use', strict.id, asked(0))).code, 'allowed')
    await ask(shop, 'use', strict.id, { ...play, client_time: '9999-12-31T23:59:59Z' })
    assert.equal((await ask(shop, 'use', strict.id, asked(0))).code, 'clock_set_back')
    shop = await pass(service, shop, 86_400)
    assert.equal((await ask(shop, 'use', strict.id, asked(0))).code, 'allowed')
  })

  test('say that it has ended when a clock that was set back ends it', async () => {
    const { shop, content } = await aSale(service, { delete_on_clock_rollback: 1 })
    const behind = { ...play, client_time: new Date(service.clock.now().getTime() - 3_600_000).toISOString() }
    assert.equal((await ask(shop, 'check', content[0].id, behind)).code, 'clock_set_back')
    assert.equal((await ask(shop, 'use', content[0].id, behind)).code, 'ended_by_clock')
    assert.equal((await read(shop, content[0].id)).state, 'revoked')
  })

  test('are not for strangers, and not for other scopes', async () => {
    const { shop, customer, content } = await aSale(service)
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
    let { shop, content } = await aSale(service, { total_concurrent_devices: 1 })
    const [{ id }] = content
    const beat = async (device: string) =>
      (await shop.post(`/api/entitlements/${id}/heartbeat.json`, { heartbeat: { device } })).body.decision.code
    await ask(shop, 'use', id, play)
    assert.equal((await ask(shop, 'use', id, { action: 'play', device: 'phone' })).code, 'device_limit')
    shop = await pass(service, shop, 14 * 60)
    assert.equal(await beat('tv'), 'allowed')
    shop = await pass(service, shop, 14 * 60)
    assert.equal(await beat('phone'), 'device_limit')
    const released = await shop.post(`/api/entitlements/${id}/release.json`, { release: { device: 'tv' } })
    assert.deepEqual([released.status, released.body], [200, {}])
    assert.equal(await beat('phone'), 'allowed')
    assert.equal(await beat('tv'), 'device_limit')
    shop = await pass(service, shop, 15 * 60)
    assert.equal((await read(shop, id)).remaining.devices, 1)
    assert.equal(await beat('tv'), 'allowed')
  })

  test('are registered by use, named, listed and removed, which frees their place', async () => {
    const { shop, customer, content } = await aSale(service, {
      total_concurrent_devices: 1,
      annual_concurrent_devices: 2,
    })
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
    const { shop, film, customer, order } = await aSale(service, {}, {}, 3)
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
    const { shop, customer, film, content } = await aSale(service, { total_downloads: 1 })
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

describe('GET /api/statistics/usage/{company_id}.json', () => {
  test('counts what customers played and downloaded, by product and day', async () => {
    const sale = await aSale(service, { total_downloads: 1 }, {}, 1, { title: 'Film' })
    const { film, content, customer } = sale
    let { shop } = sale
    const [{ id }] = content
    const day = service.clock.now().toISOString().slice(0, 10)
    await ask(shop, 'use', id, play)
    await ask(shop, 'use', id, { action: 'download' })
    await ask(shop, 'use', id, { action: 'download' })
    await ask(shop, 'check', id, play)
    // Another shop, and an order that is only a test.
    const other = await aSale(service)
    await ask(other.shop, 'use', other.content[0].id, play)
    await anOrder(shop, customer, [film], { test: true })
    const tested = (await contentOf(shop, customer)).find((each) => each.id !== id)
    await ask(shop, 'use', tested?.id, play)
    // The player reports the place: five minutes later, and then after a skip that the time does not allow.
    const owner = { companyId: shop.companyId, customerId: customer.id }
    const report = (seconds: number, fraction = 0.1) =>
      inTransaction(service.db, (tx) =>
        savePosition(
          tx,
          owner,
          { entitlement_id: id, file_id: 1, seconds, place: '', fraction },
          nowInSeconds(service.clock),
        ),
      )
    await report(10)
    service.clock.advance(300)
    await report(310)
    service.clock.advance(30)
    await report(5000, 0.98)
    // Somebody who watches the end again is not counted again.
    await report(60)
    await report(61, 0.98)
    const read = async (query: string) => (await shop.get(`/api/statistics/usage/${shop.companyId}.json${query}`)).body
    const totals = { plays: 1, minutes: 6, downloads: 1, started: 1, finished: 1 }
    const record = { id: film.id, product_id: film.product_id, name: 'Film', ...totals }
    assert.deepEqual(await read(''), { usage_statistics: [{ date: `${day}T00:00:00`, ...record }], totals })
    const products = await shop.get(`/api/statistics/usage_products/${shop.companyId}.json`)
    assert.deepEqual(products.body.usage_product_statistics, [record])
    shop = await pass(service, shop, 86_400)
    await ask(shop, 'use', id, play)
    const { usage_statistics } = await read('')
    assert.deepEqual(
      usage_statistics.map(({ plays }: Wire) => plays),
      [1, 1],
    )
    const grouped = (await read('?group=month')).usage_statistics
    assert.equal(
      grouped.reduce((sum: number, { plays }: Wire) => sum + plays, 0),
      2,
    )
    assert.equal(grouped[0].date, `${day.slice(0, 8)}01T00:00:00`)
    const [week] = (await read('?group=week')).usage_statistics
    assert.equal(new Date(`${week.date}Z`).getUTCDay(), MONDAY)
    assert.deepEqual((await read('?EndDate=2020-01-01')).usage_statistics, [])
  })

  test('keeps its days when uses are added up, counted from scratch, and deleted because of their age', async () => {
    const sale = await aSale(service, {}, {}, 1, { title: 'Film' })
    const [{ id }] = sale.content
    const { companyId } = sale.shop
    let { shop } = sale
    const inDays = (work: (tx: Tx) => Promise<unknown>) => inTransaction(service.db, work)
    const days = () =>
      readUsageDays(service.db, companyId, { from: '2000-01-01', to: '2999-12-31', group: 'day' }, 0, 1000)
    const stored = async () =>
      (await service.db.selectFrom('usage_days').select('plays').where('company_id', '=', companyId).execute()).length
    await ask(shop, 'use', id, play)
    shop = await pass(service, shop, 86_400)
    await ask(shop, 'use', id, play)
    await ask(shop, 'use', id, { action: 'download' })
    const right = await days()
    assert.deepEqual(
      right.map(({ plays, downloads }) => [plays, downloads]),
      [
        [1, 0],
        [1, 1],
      ],
    )
    assert.equal(await stored(), 0)
    await Promise.all([1, 2].map(() => inDays((tx) => addUsesToDays(tx, 1000))))
    assert.equal(await stored(), 2)
    assert.deepEqual(await days(), right)
    await service.db.updateTable('usage_days').set({ plays: 7 }).where('company_id', '=', companyId).execute()
    await ask(shop, 'use', id, play)
    await Promise.all([
      inDays((tx) => correctUsageDays(tx, companyId, service.clock.now())),
      ask(shop, 'use', id, play),
      inDays((tx) => addUsesToDays(tx, 1000)),
    ])
    const [first, second] = right
    assert.ok(first !== undefined && second !== undefined)
    assert.deepEqual(await days(), [first, { ...second, plays: 3 }])
    const later = new Date(service.clock.now().getTime() + KEPT_DAYS * 86_400_000)
    await inDays((tx) => deleteOldUses(tx, later))
    await inDays((tx) => correctUsageDays(tx, companyId, later))
    assert.deepEqual(await days(), [first, { ...second, plays: 3 }])
  })

  test('costs a use no statement of its own', async () => {
    const { shop, content } = await aSale(service)
    const statementsOf = async (action: string) => {
      const start = statementCount()
      await ask(shop, 'use', content[0].id, { action })
      return statementCount() - start
    }
    await statementsOf('play')
    assert.deepEqual([await statementsOf('play'), await statementsOf('export')], [4, 4])
  })
})
