import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertBlames, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aShippingMethod, readOrder } from '#test/orders.ts'
import { aFilm, anOrderOfGoods, HOME, orderOf, readFulfillment, ship, someGoods } from '#test/shipping.ts'
import { TELL_SHIPMENT } from '../mails/jobs.ts'

const service = useService()

const change = (shop: Shop, id: number | string, fulfillment: unknown) =>
  shop.put(`/api/fulfillments/${id}.json`, { fulfillment })
const idsIn = async (shop: Shop, path: string): Promise<number[]> =>
  (await shop.get(path)).body.fulfillments.map(({ id }: Wire) => id)
const countIn = async (shop: Shop, query = ''): Promise<number> =>
  (await shop.get(`/api/fulfillments/count.json${query}`)).body.count
const ordersIn = async (shop: Shop, status: string): Promise<number> =>
  (await shop.get(`/api/orders/count.json?fulfillment_status=${status}`)).body.count

/** The jobs that send customers mails about shipments of an order. */
async function tellings(id: number): Promise<number> {
  const jobs = await service.db.selectFrom('jobs').select('data').where('kind', '=', TELL_SHIPMENT.name).execute()
  return jobs.filter(({ data }) => (data as { order_id: number }).order_id === id).length
}

describe('a fulfillment', () => {
  test('shows what is to be shipped, where and by whom', async () => {
    const shop = await service.openShop()
    await aShippingMethod(service, shop, {
      tracking_company: 'DHL',
      tracking_url: 'https://tracking.example.com/?n={tracking_number}',
    })
    const box = await someGoods(service, shop, { version: '1.2', gtin: '4006381333931', weight: 250.5 })
    const order = await orderOf(shop, [{ ...box, quantity: 3 }, await aFilm(service, shop)])
    const { customer, ...rest } = await readFulfillment(shop, order.id)
    assert.deepEqual(rest, {
      id: order.id,
      created_at: order.created_at,
      owner_company: shop.companyId,
      line_items: [
        {
          id: order.line_items[0].id,
          product_id: box.product_id,
          title: 'Box',
          version: '1.2',
          Quantity: 3,
          gtin: '4006381333931',
          weight: 250.5,
        },
      ],
      status: 0,
      tracking_company: 'DHL',
      tracking_number: '',
      tracking_url: '',
    })
    assert.deepEqual(customer, order.shipping_address)
    assert.deepEqual({ ...customer, ...HOME, country: 'Germany', name: 'Jane Roe' }, customer)
    const after = await ship(shop, order.id, { tracking_number: ' 1/2, 3 ' })
    assert.deepEqual(
      [after.status, after.tracking_number, after.tracking_url],
      [100, '1/2, 3', 'https://tracking.example.com/?n=1%2F2%2C%203'],
    )
    assert.deepEqual(await readFulfillment(shop, order.id), after)
  })

  test('has no carrier by default', async () => {
    const shop = await service.openShop()
    const order = await anOrderOfGoods(service, shop)
    const fulfillment = await readFulfillment(shop, order.id)
    assert.deepEqual([fulfillment.tracking_company, fulfillment.tracking_url], ['', ''])
    assert.equal((await ship(shop, order.id, { tracking_number: '1' })).tracking_url, '')
  })

  test('takes another carrier, with the tracking address of its shipping method', async () => {
    const shop = await service.openShop()
    const carriers = ['DHL', 'GLS'].map((tracking_company) => ({
      title: tracking_company,
      tracking_company,
      tracking_url: `https://${tracking_company.toLowerCase()}.example.com/{tracking_number}`,
    }))
    for (const carrier of carriers) await aShippingMethod(service, shop, carrier)
    const { id } = await anOrderOfGoods(service, shop)
    const change = async (fulfillment: object) =>
      (await shop.put(`/api/fulfillments/${id}.json`, { fulfillment })).body.fulfillment
    const other = await change({ status: 100, tracking_number: '7', tracking_company: ' gls ' })
    assert.deepEqual(
      [other.status, other.tracking_company, other.tracking_url],
      [100, 'gls', 'https://gls.example.com/7'],
    )
    const unknown = await change({ tracking_company: 'Bike' })
    assert.deepEqual([unknown.tracking_company, unknown.tracking_url], ['Bike', ''])
    const back = await change({ tracking_company: 'DHL' })
    assert.deepEqual([back.tracking_number, back.tracking_url], ['7', 'https://dhl.example.com/7'])
  })

  test('is there for orders with goods alone', async () => {
    const shop = await service.openShop()
    const order = await orderOf(shop, [await aFilm(service, shop)])
    assert.equal((await shop.get(`/api/fulfillments/${order.id}.json`)).status, 404)
    assert.equal((await change(shop, order.id, { status: 100 })).status, 404)
    assert.deepEqual(await idsIn(shop, '/api/fulfillments.json'), [])
    assert.equal(await countIn(shop), 0)
  })

  test('follows the shipping address of the order until it is shipped', async () => {
    const shop = await service.openShop()
    const order = await anOrderOfGoods(service, shop)
    const move = (city: string) =>
      shop.put(`/api/orders/${order.id}.json`, { order: { shipping_address: { city, country_code: 'AT' } } })
    assert.equal((await move('Wien')).status, 200)
    const { customer } = await readFulfillment(shop, order.id)
    assert.deepEqual([customer.city, customer.country_code], ['Wien', 'AT'])
    await ship(shop, order.id)
    assert.equal((await move('Graz')).status, 409)
    assert.equal((await readFulfillment(shop, order.id)).customer.city, 'Wien')
  })

  test('is found by the id of the order only', async () => {
    const shop = await service.openShop()
    const order = await anOrderOfGoods(service, shop)
    for (const ref of ['0', '-1', '1e3', 'x', `${order.id}x`, '9'.repeat(15), '9'.repeat(40), `%20${order.id}`]) {
      const answer = await shop.get(`/api/fulfillments/${ref}.json`)
      assert.deepEqual([answer.status, answer.body.code], [404, 'not_found'], ref)
      assert.equal((await change(shop, ref, { status: 100 })).status, 404, ref)
    }
    const answer = await shop.get(`/api/fulfillments/${order.id}.json?fields=id,status,unknown`)
    assert.deepEqual(answer.body, { fulfillment: { id: order.id, status: 0 } })
    const headers = { 'if-none-match': answer.headers.get('etag')! }
    const path = `/api/fulfillments/${order.id}.json?fields=id,status`
    assert.equal((await shop.get(path, undefined, headers)).status, 304)
    await ship(shop, order.id)
    assert.equal((await shop.get(path, undefined, headers)).status, 200)
  })
})

describe('shipping', () => {
  test('fulfills the order, with an entry, once, and tells the customer once', async () => {
    const shop = await service.openShop()
    const [box, film] = [await someGoods(service, shop), await aFilm(service, shop)]
    const mixed = await orderOf(shop, [film, box, box])
    const goods = await orderOf(shop, [box])
    assert.deepEqual([mixed.fulfillment_status, goods.fulfillment_status], ['partial', null])
    assert.deepEqual([await ordersIn(shop, 'partial'), await ordersIn(shop, 'null')], [1, 1])
    service.clock.advance(60)
    for (const [order, lines] of [
      [mixed, mixed.line_items.slice(1)],
      [goods, goods.line_items],
    ]) {
      await ship(shop, order.id)
      const after = await readOrder(shop, order.id)
      assert.equal(after.fulfillment_status, 'fulfilled')
      assert.ok(after.updated_at > order.updated_at)
      const { id, ...entry } = after.fulfillments[0]
      assert.ok(id > 0)
      assert.deepEqual(entry, { created_at: after.updated_at, line_items: lines.map(({ id }: Wire) => id) })
      const same = { fulfillment_status: null, fulfillments: null, updated_at: null }
      assert.deepEqual({ ...after, ...same }, { ...order, ...same, customer: after.customer })
      assert.equal(await tellings(order.id), 1)

      service.clock.advance(60)
      await ship(shop, order.id)
      assert.deepEqual(await readOrder(shop, order.id), after)
      assert.equal(await tellings(order.id), 1)
    }
    assert.deepEqual(
      [await ordersIn(shop, 'partial'), await ordersIn(shop, 'null'), await ordersIn(shop, 'fulfilled')],
      [0, 0, 2],
    )
  })

  test('sends no mail for an order without notifications', async () => {
    const shop = await service.openShop()
    const order = await anOrderOfGoods(service, shop, { customer_notification: 0 })
    await ship(shop, order.id)
    assert.equal(await tellings(order.id), 0)
  })

  test('cannot be undone', async () => {
    const shop = await service.openShop()
    const { id } = await anOrderOfGoods(service, shop)
    const shipped = await ship(shop, id, { tracking_number: '1' })
    const answer = await change(shop, id, { status: 0, tracking_number: '2' })
    assert.deepEqual([answer.status, answer.body.code], [409, 'conflict'])
    assert.deepEqual(await readFulfillment(shop, id), shipped)
  })

  test('takes tracking numbers before and after', async () => {
    const shop = await service.openShop()
    await aShippingMethod(service, shop, { tracking_url: 'https://t.example.com/{tracking_number}' })
    const { id } = await anOrderOfGoods(service, shop)
    const steps: [object, [number, string, string]][] = [
      [{ tracking_number: 'A' }, [0, 'A', 'https://t.example.com/A']],
      [{ status: 0, tracking_number: 'B' }, [0, 'B', 'https://t.example.com/B']],
      [{ status: null }, [0, 'B', 'https://t.example.com/B']],
      [{ status: '100' }, [100, 'B', 'https://t.example.com/B']],
      [{ status: 100, tracking_number: 'C' }, [100, 'C', 'https://t.example.com/C']],
      [{ status: null, tracking_number: 7 }, [100, '7', 'https://t.example.com/7']],
      [{ tracking_number: null }, [100, '7', 'https://t.example.com/7']],
      [{ tracking_number: '' }, [100, '', '']],
      [{ tracking_number: 'é'.repeat(64) }, [100, 'é'.repeat(64), `https://t.example.com/${'%C3%A9'.repeat(64)}`]],
    ]
    for (const [body, expected] of steps) {
      const { status, tracking_number, tracking_url } = (await change(shop, id, body)).body.fulfillment
      assert.deepEqual([status, tracking_number, tracking_url], expected)
    }
    assert.equal(await tellings(id), 1)
  })

  test('refuses invalid bodies, and changes nothing', async () => {
    const shop = await service.openShop()
    const { id } = await anOrderOfGoods(service, shop)
    const before = await readFulfillment(shop, id)
    for (const status of [1, 50, 99, 101, -100, 100.5, 'shipped', {}, [], 1e20])
      assertBlames(await change(shop, id, { status }), ['status'])
    for (const tracking_number of ['1'.repeat(65), 'a\0b', '\ud800', {}, ['1', '2']])
      assertBlames(await change(shop, id, { tracking_number, status: 100 }), ['tracking_number'])
    for (const body of [{}, { status: 100 }, { fulfillment: null }, { fulfillment: [] }])
      assert.equal((await shop.put(`/api/fulfillments/${id}.json`, body)).status, 400, JSON.stringify(body))
    assert.deepEqual(await readFulfillment(shop, id), before)
    assert.equal(await tellings(id), 0)
  })

  test('takes back what was read, and changes nothing that is read-only', async () => {
    const shop = await service.openShop()
    const { id } = await anOrderOfGoods(service, shop)
    const before = await readFulfillment(shop, id)
    const sent = { ...before, tracking_url: 'X', owner_company: 1, line_items: [], customer: 7 }
    assert.deepEqual((await change(shop, id, sent)).body.fulfillment, before)
    const after = await ship(shop, id)
    assert.deepEqual((await change(shop, id, after)).body.fulfillment, after)
  })

  test('is for those who may see orders', async () => {
    const shop = await service.openShop()
    const { id } = await anOrderOfGoods(service, shop)
    const others = await shop.withScopes('products', 'customers', 'companies')
    assert.equal((await change(others, id, { status: 100 })).status, 403)
    assert.equal((await change(await shop.withScopes('orders'), id, { status: 100 })).status, 200)
  })
})

describe('orders whose goods still have to be sent', () => {
  test('are found by fulfillment_status=unshipped, mixed ones too, and are not found once sent', async () => {
    const shop = await service.openShop()
    const [box, film] = [await someGoods(service, shop), await aFilm(service, shop)]
    const [goods, mixed] = [await orderOf(shop, [box]), await orderOf(shop, [box, film])]
    const digital = await orderOf(shop, [film])
    const cancelled = await orderOf(shop, [box])
    assert.equal((await shop.delete(`/api/orders/${cancelled.id}.json`)).status, 200)
    const waiting = async () => {
      const { orders } = (await shop.get('/api/orders.json?fulfillment_status=unshipped')).body
      assert.equal(await ordersIn(shop, 'unshipped'), orders.length)
      return orders.map(({ id }: Wire) => id)
    }
    assert.deepEqual(await waiting(), [goods.id, mixed.id])
    await ship(shop, goods.id)
    assert.deepEqual(await waiting(), [mixed.id])
    await ship(shop, mixed.id)
    assert.deepEqual(await waiting(), [])
    assert.equal((await readOrder(shop, digital.id)).fulfillment_status, 'fulfilled')
  })
})

describe('lists and counts', () => {
  test('tell open from complete', async () => {
    const shop = await service.openShop()
    const box = await someGoods(service, shop)
    const ids: number[] = []
    for (let made = 0; made < 5; made += 1) ids.push((await orderOf(shop, [box])).id)
    for (const id of [ids[1]!, ids[3]!]) await ship(shop, id)
    assert.deepEqual(await idsIn(shop, '/api/fulfillments.json'), ids)
    assert.deepEqual(await idsIn(shop, '/api/fulfillments/open.json'), [ids[0], ids[2], ids[4]])
    assert.deepEqual(await idsIn(shop, '/api/fulfillments/complete.json'), [ids[1], ids[3]])
    assert.equal(await countIn(shop), 5)
    assert.equal(await countIn(shop, `?since_id=${ids[1]}`), 3)
    const page = await shop.get('/api/fulfillments/open.json?limit=2')
    assert.deepEqual(
      page.body.fulfillments.map(({ id }: Wire) => id),
      [ids[0], ids[2]],
    )
    const [, next = ''] = /<(.*)>; rel="next"/.exec(page.headers.get('link') ?? '') ?? []
    assert.deepEqual(await idsIn(shop, next.replace(service.url, '')), [ids[4]])
    assert.deepEqual(await idsIn(shop, '/api/fulfillments.json?limit=2&page=2'), [ids[2], ids[3]])
    const { fulfillments } = (await shop.get('/api/fulfillments/complete.json?fields=status')).body
    assert.deepEqual(fulfillments, [{ status: 100 }, { status: 100 }])
  })

  test('are narrowed by time, both ends included, in every spelling', async () => {
    let shop = await service.openShop()
    const box = await someGoods(service, shop)
    const made: Wire[] = []
    for (const seconds of [0, 3600, 86_400, 10]) {
      service.clock.advance(seconds)
      // Tokens are good for half an hour.
      shop = await shop.withScopes('orders', 'customers')
      made.push(await orderOf(shop, [box]))
    }
    await ship(shop, made[2].id)
    const ids = made.map(({ id }) => id)
    const [, second, third, last] = made.map(({ created_at }) => created_at)
    const cases: [string, number[]][] = [
      [`created_at_min=${second}`, ids.slice(1)],
      [`created_at_min=${third}Z`, ids.slice(2)],
      [`created_at_max=${second.replace('T', ' ')}`, ids.slice(0, 2)],
      [`created_at_min=${second}&created_at_max=${third}`, ids.slice(1, 3)],
      [`created_at_min=${last}&created_at_max=${third}`, []],
      ['created_at_min=2999-01-01', []],
      ['created_at_max=1999-01-01', []],
      ['created_at_min=1999-01-01&created_at_max=2999-01-01', ids],
    ]
    for (const [query, expected] of cases) {
      assert.deepEqual(await idsIn(shop, `/api/fulfillments.json?${query}`), expected, query)
      assert.equal(await countIn(shop, `?${query}`), expected.length, query)
      const [open, complete] = [expected.filter((id) => id !== ids[2]), expected.filter((id) => id === ids[2])]
      assert.deepEqual(await idsIn(shop, `/api/fulfillments/open.json?${query}`), open, query)
      assert.deepEqual(await idsIn(shop, `/api/fulfillments/complete.json?${query}`), complete, query)
    }
    for (const path of ['.json', '/open.json', '/complete.json', '/count.json'])
      assertBlames(await shop.get(`/api/fulfillments${path}?created_at_min=soon`), ['created_at_min'])
  })
})

describe('a cancelled order', () => {
  test('has no fulfillment any more, whether it was shipped or not', async () => {
    const shop = await service.openShop()
    const [open, shipped, kept] = [
      await anOrderOfGoods(service, shop),
      await anOrderOfGoods(service, shop),
      await anOrderOfGoods(service, shop),
    ]
    await ship(shop, shipped.id)
    for (const { id } of [open, shipped]) {
      assert.equal((await shop.delete(`/api/orders/${id}.json`)).status, 200)
      assert.equal((await shop.get(`/api/fulfillments/${id}.json`)).status, 404)
      assert.equal((await change(shop, id, { status: 100, tracking_number: '1' })).status, 404)
    }
    assert.deepEqual(await idsIn(shop, '/api/fulfillments.json'), [kept.id])
    assert.deepEqual(await idsIn(shop, '/api/fulfillments/open.json'), [kept.id])
    assert.deepEqual(await idsIn(shop, '/api/fulfillments/complete.json'), [])
    assert.equal(await countIn(shop), 1)
    assert.equal(await countIn(shop, '?created_at_min=2000-01-01'), 1)
    assert.equal((await readOrder(shop, open.id)).fulfillments.length, 0)
    assert.equal((await readOrder(shop, shipped.id)).fulfillments.length, 1)
  })

  test('is counted out once', async () => {
    const shop = await service.openShop()
    const { id } = await anOrderOfGoods(service, shop)
    for (let times = 0; times < 2; times += 1) assert.equal((await shop.delete(`/api/orders/${id}.json`)).status, 200)
    await shop.put(`/api/orders/${id}.json`, { order: { shipping_address: { city: 'Wien' } } })
    assert.equal(await countIn(shop), 0)
  })
})
