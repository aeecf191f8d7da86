import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { aCustomer, disableCustomer } from '#test/customers.ts'
import { aPrice, aProduct, RENT, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, someGoods } from '#test/orders.ts'
import { aMirroredFilm, cancel, refund } from '#test/sales.ts'
import { newCode } from './rules.ts'

const service = useService()

// On a slow machine, a wait of a second would be over before the next guess.
before(() => service.clock.stop())

/** A shop with a film, and a customer. */
async function scene() {
  const shop = await service.openShop()
  return { shop, film: await aFilm(service, shop), customer: await aCustomer(shop) }
}

async function makeCodes(shop: Shop, film: Wire, more: object = {}): Promise<Wire[]> {
  const answer = await shop.post('/api/redemption_codes.json', {
    redemption_code: { product_id: film.product_id, ...more },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.redemption_codes
}

async function makeCode(shop: Shop, film: Wire, more: object = {}): Promise<Wire> {
  const [code] = await makeCodes(shop, film, more)
  assert.ok(code)
  return code
}

const redeem = (shop: Shop, { token }: Wire, code: string, headers?: Record<string, string>) =>
  shop.post(`/api/customers/${token}/redeem.json`, { redeem: { code } }, headers)

const contentOf = async (shop: Shop, { token }: Wire): Promise<Wire[]> =>
  (await shop.get(`/api/customers/${token}/content.json`)).body.content

const readCodeOf = async (shop: Shop, { id }: Wire): Promise<Wire> =>
  (await shop.get(`/api/redemption_codes/${id}.json`)).body.redemption_code

describe('POST /api/redemption_codes.json', () => {
  test('makes codes that give the product under its license', async () => {
    const { shop, film } = await scene()
    const codes = await makeCodes(shop, film, { count: 3, uses: 2, note: 'Book fair', expires_at: '2090-01-01' })
    assert.equal(codes.length, 3)
    assert.equal(new Set(codes.map(({ code }) => code)).size, 3)
    const [first] = codes
    assert.match(first?.code, /^[A-HJKMNP-TV-Z2-9]{4}(-[A-HJKMNP-TV-Z2-9]{4}){3}$/)
    const { product_id, license_id, uses, used, remaining, state, note, expires_at, order_id, gift } = first ?? {}
    assert.deepEqual(
      { product_id, license_id, uses, used, remaining, state, note, expires_at, order_id, gift },
      {
        product_id: film.product_id,
        license_id: 1,
        uses: 2,
        used: 0,
        remaining: 2,
        state: 'active',
        note: 'Book fair',
        expires_at: '2090-01-01T00:00:00',
        order_id: null,
        gift: null,
      },
    )
    assert.deepEqual(await readCodeOf(shop, first ?? {}), first)
    const { body } = await shop.get('/api/redemption_codes/count.json')
    assert.equal(body.count, 3)
  })

  test('makes ten thousand at once, and no more', async () => {
    const { shop, film } = await scene()
    const codes = await makeCodes(shop, film, { count: 10_000 })
    assert.equal(new Set(codes.map(({ code }) => code)).size, 10_000)
    const redemption_code = { product_id: film.product_id, count: 10_001 }
    assert.equal((await shop.post('/api/redemption_codes.json', { redemption_code })).status, 422)
  })

  test('refuses what a code cannot give', async () => {
    const { shop, film } = await scene()
    const mug = await someGoods(service, shop)
    const mirror = await aMirroredFilm(service, shop)
    const cases: [Shop, object, string][] = [
      [shop, { product_id: 'NONE' }, 'product_unknown'],
      [shop, { product_id: mug.product_id }, 'product_not_redeemable'],
      [shop, { product_id: mirror.product_id }, 'mirrored_product_not_given'],
      [shop, { product_id: film.product_id, license_id: RENT }, 'license_not_bound'],
      [shop, { product_id: film.product_id, expires_at: '2020-01-01' }, 'redemption_expiry_passed'],
    ]
    for (const [company, redemption_code, reason] of cases) {
      const answer = await company.post('/api/redemption_codes.json', { redemption_code })
      assert.equal(answer.status, 422, answer.text)
      assert.equal(answer.body.reason, reason, answer.text)
    }
  })

  test('takes content that is sold under no license', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop)
    const code = await makeCode(shop, await aProduct(shop, { published: true }))
    assert.equal(code.license_id, null)
    assert.equal((await redeem(shop, customer, code.code)).status, 201)
  })
})

describe('POST /api/customers/{token}/redeem.json', () => {
  test('takes one use into the account, and answers what the customer got', async () => {
    const { shop, film, customer } = await scene()
    const code = await makeCode(shop, film)
    const answer = await redeem(shop, customer, ` ${code.code.toLowerCase().replaceAll('-', ' ')} `)
    assert.equal(answer.status, 201, answer.text)
    const [entitlement] = answer.body.entitlements
    assert.equal(entitlement.product_id, film.product_id)
    assert.equal(entitlement.order_id, null)
    assert.equal(entitlement.state, 'active')
    assert.deepEqual(await contentOf(shop, customer), [entitlement])
    const again = await redeem(shop, customer, code.code)
    assert.equal(again.status, 422)
    assert.equal(again.body.reason, 'redemption_code_used_up')
    const { redemptions } = (await shop.get(`/api/redemption_codes/${code.id}/redemptions.json`)).body
    assert.equal(redemptions.length, 1)
    assert.equal(redemptions[0].customer_token, customer.token)
    assert.deepEqual(redemptions[0].entitlement_ids, [entitlement.id])
    assert.equal((await readCodeOf(shop, code)).state, 'used_up')
  })

  test('gives everything that a collection includes, and the chosen product of a variation', async () => {
    const { shop, film, customer } = await scene()
    const book = await aProduct(shop, { title: 'Book', product_type: 16 })
    const included_products = [{ product_id: film.product_id }, { product_id: book.product_id }]
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 999 }] })
    const price_license_binding = [{ license_id: RENT, price_id: price.id }]
    const product = { title: 'Both', published: true, included_products, price_license_binding }
    const [all, one] = [
      await aProduct(shop, { ...product, product_type: 8 }),
      await aProduct(shop, { ...product, product_type: 21 }),
    ]
    const redeemed = async (code: string) =>
      (await redeem(shop, customer, code)).body.entitlements.map(({ product_id }: Wire) => product_id)
    assert.deepEqual(await redeemed((await makeCode(shop, all)).code), [film.product_id, book.product_id])
    const bought = await anOrder(shop, await aBuyer(shop), [all], { generate_codes: true })
    assert.deepEqual(await redeemed(bought.line_items[0].code), [film.product_id, book.product_id])
    const unchosen = { redemption_code: { product_id: one.product_id } }
    const refused = await shop.post('/api/redemption_codes.json', unchosen)
    assert.deepEqual(Object.keys(refused.body.errors), ['chosen_product_id'])
    const chosen = await makeCode(shop, one, { chosen_product_id: book.product_id })
    assert.deepEqual(await redeemed(chosen.code), [book.product_id])
  })

  test('starts the time of the license when the code is redeemed', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop)
    const price = await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 100 }] })
    const bindings = [{ license_id: RENT, price_id: price.id }]
    const film = await aProduct(shop, { published: true, price_license_binding: bindings })
    const code = await makeCode(shop, film)
    service.clock.advance(40 * 86_400)
    const later = await shop.withScopes('customers')
    const { body } = await redeem(later, customer, code.code)
    assert.equal(body.entitlements[0].state, 'active')
    assert.equal(body.entitlements[0].acquired_at, service.clock.now().toISOString().slice(0, 19))
  })

  test('gives the last use to one of a hundred, and never more uses than there are', async () => {
    const { shop, film } = await scene()
    const customers: Wire[] = []
    for (let made = 0; made < 10; made += 1) customers.push(await aCustomer(shop))
    for (const uses of [1, 3]) {
      const code = await makeCode(shop, film, { uses })
      const answers = await Promise.all(
        Array.from({ length: 100 }, (_, index) => redeem(shop, customers[index % 10] ?? {}, code.code)),
      )
      assert.equal(answers.filter(({ status }) => status === 201).length, uses)
      const refused = answers.filter(({ status }) => status !== 201)
      assert.ok(refused.every(({ body }) => body.reason === 'redemption_code_used_up'))
    }
    const all = (await Promise.all(customers.map((customer) => contentOf(shop, customer)))).flat()
    assert.equal(all.length, 4)
  })

  test('lets one customer redeem a code once for each use', async () => {
    const { shop, film, customer } = await scene()
    const { code } = await makeCode(shop, film, { uses: 2 })
    assert.equal((await redeem(shop, customer, code)).status, 201)
    assert.equal((await redeem(shop, customer, code)).status, 201)
    assert.equal((await redeem(shop, customer, code)).status, 422)
  })

  test('tells a mistyped code from an unknown one, and limits guesses alone', async () => {
    const { shop, film, customer } = await scene()
    const { code } = await makeCode(shop, film)
    const player = await shop.asCustomer(customer.id)
    const mistyped = `${code.slice(0, -1)}${code.endsWith('A') ? 'B' : 'A'}`
    for (const text of ['', 'x', mistyped, `${code}A`, code.slice(1), '0000-1111-OOOO-IIII']) {
      const answer = await redeem(player, customer, text)
      assert.equal(answer.body.reason, 'redemption_code_mistyped', text)
    }
    for (let tries = 0; tries < 20; tries += 1) await redeem(player, customer, mistyped)
    const guess = () =>
      redeem(
        player,
        customer,
        newCode((limit) => Math.floor(Math.random() * limit)),
      )
    for (let tries = 0; tries < 8; tries += 1) await guess()
    const limited = await guess()
    assert.equal(limited.status, 429)
    assert.equal(limited.body.reason, 'too_many_redemption_guesses')
    assert.ok(Number(limited.headers.get('retry-after')) > 0)
    service.clock.advance(901)
    const later = await shop.asCustomer(customer.id)
    assert.equal((await redeem(later, customer, code)).status, 201)
  })

  test('lets a customer redeem for nobody else, and not for another company', async () => {
    const { shop, film, customer } = await scene()
    const other = await aCustomer(shop)
    const { code } = await makeCode(shop, film, { uses: 9 })
    const player = await shop.asCustomer(customer.id)
    assert.equal((await redeem(player, other, code)).status, 404)
    assert.equal((await redeem(player, customer, code)).status, 201)
    const stranger = await service.openShop()
    const theirs = await aCustomer(stranger)
    assert.equal((await redeem(stranger, theirs, code)).body.reason, 'redemption_code_unknown')
    await disableCustomer(service, other)
    assert.equal((await redeem(shop, other, code)).body.reason, 'redeeming_customer_disabled')
  })

  // Two customers of an app may choose the same key, and neither may get what the other got.
  test('keeps idempotency keys of customers apart', async () => {
    const { shop, film, customer } = await scene()
    const other = await aCustomer(shop)
    const { code } = await makeCode(shop, film, { uses: 9 })
    const key = { 'idempotency-key': 'the same' }
    const [one, two] = [await shop.asCustomer(customer.id), await shop.asCustomer(other.id)]
    const first = await redeem(one, customer, code, key)
    const again = await redeem(one, customer, code, key)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.deepEqual(again.body, first.body)
    const second = await redeem(two, other, code, key)
    assert.equal(second.status, 201, second.text)
    assert.equal(second.headers.get('idempotent-replayed'), null)
    assert.equal((await readCodeOf(shop, (await listCodes(shop))[0] ?? {})).used, 2)
  })

  const listCodes = async (shop: Shop): Promise<Wire[]> =>
    (await shop.get('/api/redemption_codes.json')).body.redemption_codes
})

describe('a redemption code', () => {
  test('ends when it expires or is revoked, and lives again with a later expiry', async () => {
    const { shop, film, customer } = await scene()
    const expires_at = new Date(service.clock.now().getTime() + 60_000).toISOString()
    const code = await makeCode(shop, film, { uses: 5, expires_at })
    service.clock.advance(61)
    assert.equal((await redeem(shop, customer, code.code)).body.reason, 'redemption_code_expired')
    const path = `/api/redemption_codes/${code.id}.json`
    const changed = await shop.put(path, { redemption_code: { expires_at: null, note: 'Late' } })
    assert.equal(changed.body.redemption_code.state, 'active')
    assert.equal(changed.body.redemption_code.note, 'Late')
    assert.equal((await redeem(shop, customer, code.code)).status, 201)
    assert.equal((await shop.delete(path)).status, 200)
    assert.equal((await redeem(shop, customer, code.code)).body.reason, 'redemption_code_revoked')
    const { state, remaining, used } = await readCodeOf(shop, code)
    assert.deepEqual({ state, remaining, used }, { state: 'revoked', remaining: 0, used: 1 })
    assert.equal((await contentOf(shop, customer)).length, 1)
  })

  test('is found as it was typed, by product and by order, and downloaded for a spreadsheet', async () => {
    const { shop, film } = await scene()
    const [one = {}] = await makeCodes(shop, film, { count: 2, note: '=1+1, "quoted"' })
    const find = async (query: string) =>
      (await shop.get(`/api/redemption_codes.json?${query}`)).body.redemption_codes.length
    assert.equal(await find(`code=${one.code.toLowerCase().replaceAll('-', '')}`), 1)
    assert.equal(await find('code=nothing'), 0)
    assert.equal(await find(`product_id=${film.product_id.toLowerCase()}`), 2)
    assert.equal(await find('order_id=1'), 0)
    const file = await shop.get('/api/redemption_codes.json?format=csv')
    assert.equal(file.headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(file.headers.get('content-disposition') ?? '', /attachment/)
    const [heading = '', first = ''] = file.text.split('\r\n')
    assert.match(heading, /^code,product_id,title,/)
    assert.ok(first.startsWith(`${one.code},${film.product_id},`), first)
    // A spreadsheet must not take the note for a formula.
    assert.ok(first.includes(`,"'=1+1, ""quoted""",`), first)
  })

  describe('as a file of which a code cannot be read', () => {
    const aLongList = async (brokenPlace: number) => {
      const { shop, film } = await scene()
      const codes = await makeCodes(shop, film, { count: 600 })
      const id = codes[brokenPlace]?.id
      await sql`update redemption_codes set expires_at = 'infinity' where id = ${id}`.execute(service.db)
      return shop
    }

    test('is refused before it begins if the code is among the first', async () => {
      const shop = await aLongList(0)
      const { status, headers } = await shop.get('/api/redemption_codes.json?format=csv')
      assert.deepEqual([status, headers.get('content-type')], [500, 'application/json; charset=utf-8'])
    })

    // A file that ends early and looks whole would be taken for all codes.
    test('breaks off if the code comes later', async () => {
      const shop = await aLongList(599)
      await assert.rejects(shop.get('/api/redemption_codes.json?format=csv'), { code: 'UND_ERR_SOCKET' })
    })
  })
})

describe('the code of an order', () => {
  const codeOf = async (shop: Shop, order: Wire): Promise<Wire> =>
    (await shop.get(`/api/redemption_codes.json?order_id=${order.id}`)).body.redemption_codes[0]

  test('is good as often as the line has pieces, and credits the buyer nothing', async () => {
    const { shop, film } = await scene()
    const [buyer, friend] = [await aBuyer(shop), await aCustomer(shop)]
    const line = { product_id: film.product_id, quantity: 2 }
    const order = await anOrder(shop, buyer, [line], { generate_codes: true })
    const { code } = order.line_items[0]
    assert.match(code, /^[A-HJKMNP-TV-Z2-9]{4}(-[A-HJKMNP-TV-Z2-9]{4}){3}$/)
    const stored = await codeOf(shop, order)
    assert.deepEqual([stored.code, stored.uses, stored.line_item_id], [code, 2, order.line_items[0].id])
    assert.deepEqual(await contentOf(shop, buyer), [])
    assert.equal((await redeem(shop, friend, code)).status, 201)
    assert.equal((await redeem(shop, buyer, code)).status, 201)
    assert.equal((await redeem(shop, friend, code)).status, 422)
  })

  test('can be redeemed by as many accounts as the line has users', async () => {
    const shop = await service.openShop()
    const { id } = await aPrice(service, shop)
    const price_license_binding = [{ license_id: RENT, price_id: id, num_users: 5 }]
    const film = await aProduct(shop, { published: true, price_license_binding })
    const order = await anOrder(shop, await aBuyer(shop), [{ product_id: film.product_id, quantity: 2 }], {
      generate_codes: true,
    })
    const [{ code, id: line_item_id, num_users }] = order.line_items
    assert.equal(num_users, 5)
    const listed = async () => (await shop.get(`/api/redemption_codes.json?order_id=${order.id}`)).body.redemption_codes
    const [{ uses, remaining }] = await listed()
    assert.deepEqual([uses, remaining], [10, 10])
    for (let account = 0; account < 5; account += 1) {
      const answer = await redeem(shop, await aCustomer(shop), code)
      assert.equal(answer.status, 201, answer.text)
      assert.equal(answer.body.entitlements[0].num_users, 1, 'each of them is one of the users')
    }
    await refund(shop, order.id, { refund_line_items: [{ line_item_id, quantity: 1 }] })
    const [left] = await listed()
    assert.deepEqual([left.used, left.remaining], [5, 0], 'a piece is five uses')
  })

  test('waits for the order to be confirmed', async () => {
    const { shop, film, customer } = await scene()
    const options = { generate_codes: true, confirmed: false }
    const order = await anOrder(shop, await aBuyer(shop), [film], options)
    const { code } = order.line_items[0]
    assert.equal((await redeem(shop, customer, code)).body.reason, 'redemption_code_on_hold')
    await shop.put(`/api/orders/${order.id}.json`, { order: { confirmed: true } })
    assert.equal((await redeem(shop, customer, code)).status, 201)
  })

  test('loses unused uses by a refund and a cancellation, and what was redeemed stays', async () => {
    const { shop, film, customer } = await scene()
    const line = { product_id: film.product_id, quantity: 4 }
    const order = await anOrder(shop, await aBuyer(shop), [line], { generate_codes: true })
    const { code, id: line_item_id } = order.line_items[0]
    assert.equal((await redeem(shop, customer, code)).status, 201)
    await refund(shop, order.id, { refund_line_items: [{ line_item_id, quantity: 2 }] })
    assert.equal((await codeOf(shop, order)).remaining, 1)
    await cancel(shop, order.id)
    const { remaining, used, state } = await codeOf(shop, order)
    assert.deepEqual({ remaining, used, state }, { remaining: 0, used: 1, state: 'revoked' })
    assert.equal((await redeem(shop, customer, code)).body.reason, 'redemption_code_revoked')
    assert.equal((await contentOf(shop, customer))[0]?.state, 'active')
    const unused = await anOrder(shop, await aBuyer(shop), [film], { generate_codes: true })
    await cancel(shop, unused.id)
    const refused = await redeem(shop, customer, unused.line_items[0].code)
    assert.equal(refused.body.reason, 'redemption_code_revoked')
  })
  test('is used up and not revoked if a customer redeemed the last use', async () => {
    const { shop, film, customer } = await scene()
    const line = { product_id: film.product_id, quantity: 2 }
    const order = await anOrder(shop, await aBuyer(shop), [line], { generate_codes: true })
    const { code, id: line_item_id } = order.line_items[0]
    await refund(shop, order.id, { refund_line_items: [{ line_item_id, quantity: 1 }] })
    assert.equal((await redeem(shop, customer, code)).status, 201)
    assert.equal((await redeem(shop, customer, code)).body.reason, 'redemption_code_used_up')
    await cancel(shop, order.id)
    const { state, revoked_at } = await codeOf(shop, order)
    assert.deepEqual({ state, revoked_at }, { state: 'used_up', revoked_at: null })
  })
})
