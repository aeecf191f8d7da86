import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { before, describe, test } from 'node:test'
import { adminPage } from './admin.ts'
import { aPrice, BUY, usePictureHost, type Wire } from './factories.ts'
import { type Shop, useService } from './harness.ts'
import { aDiscountCode } from './orders.ts'
import { codeFrom, registerApp, signedIn } from './people.ts'
import { someVideo, upload } from './uploads.ts'

/**
 * The calls of clients that exist, byte by byte: what they send, they send for good. The tests of this file are one story
 * and run in their order.
 */
const service = useService()
const pictures = usePictureHost()

const CLIENT_ID = 'DEV:shop-connector_2.1'
const BACK = 'https://connector.example.com/back?action=licet&shop=1'
/** The connector looks every buyer up with one fixed password. */
const FIXED_PASSWORD = 'connector-password'
const PASSWORD = 'a password of Jane'

type Received = { status: number; headers: Record<string, unknown>; body: Wire }

/** Sends a request as it is written here: nothing is encoded, added or checked. */
async function send(method: string, path: string, body?: object | string, headers: object = {}): Promise<Received> {
  const { hostname, port } = new URL(service.url)
  const bytes = body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)
  const sent = request({
    hostname,
    port,
    method,
    path,
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(bytes), ...headers },
  })
  sent.end(bytes)
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, headers: response.headers, body: JSON.parse(await text(response)) }
}

describe('a connector that was written for the interface', () => {
  let shop: Shop
  let priceId: number
  let code: string
  let tokens: { access_token: string; refresh_token: string }
  let film: Wire
  let order: Wire

  const bearer = () => ({ Authorization: `Bearer ${tokens.access_token}` })
  const get = (path: string) => send('GET', path, undefined, bearer())
  const post = (path: string, body: object) => send('POST', path, body, bearer())
  const put = (path: string, body: object) => send('PUT', path, body, bearer())
  const exchange = (token: string) =>
    send('POST', `/token?grant_type=refresh_token&refresh_token=${token}&client_id=${CLIENT_ID}`)

  before(async () => {
    shop = await service.openShop()
    priceId = (await aPrice(service, shop, { currencies: [{ currency: 'eur', price: 1490 }] })).id
    await aDiscountCode(service, shop, { code: 'SPRING', type: 'percentage', amount: 10 })
    const app = await registerApp(service, shop, [BACK], { clientId: CLIENT_ID })
    const scope = 'products,customers,orders,themes,statistics,webhooks'
    code = await codeFrom(await signedIn(service, shop), app, { redirect_uri: BACK, scope })
  })

  test('gets its tokens with everything in the query, and an empty body', async () => {
    const answer = await exchange(code)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    tokens = answer.body
    assert.equal(answer.body['as:client_id'], CLIENT_ID)
    assert.equal(answer.body.token_type, 'bearer')
    const info = await send('GET', `/api2/tokeninfo?access_token=${tokens.access_token}`)
    assert.deepEqual([info.status, info.body.issued_to], [200, CLIENT_ID])
  })

  test('puts a product on sale: numbers and flags as text, images by address, no compare price', async () => {
    const product = {
      id: 0,
      product_type: '1',
      title: 'The Long Way Home',
      published: '1',
      drm_protected: 'true',
      supplier: null,
      runtime: '5400',
      created_at: '',
      images: [{ id: 0, src: pictures.url('/cover.png') }],
      locales: [{ id: null, language_id: 'en', title: 'The Long Way Home', src: '' }],
      themes: [{ id: 0, theme_id: -1 }],
      price_license_binding: [{ id: 0, license_id: String(BUY), price_id: priceId, compare_price_id: 0, hd: 0 }],
      tagging_genre: null,
    }
    const made = await post('/api2/products.json', { product })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    film = made.body.product
    assert.deepEqual(
      made.body.warnings.map(({ field }: Wire) => field),
      ['content_files'],
    )
    assert.deepEqual([film.published, film.runtime, film.drm_protected], [true, 5400, true])
    assert.equal(film.images[0].src, pictures.url('/cover.png'))
    assert.equal(film.price_license_binding[0].compare_price_id, null)
  })

  test('reads lists with empty parameters, raw plus signs in times, and both names of the API', async () => {
    for (const query of [
      'Page=&limit=&published_status=&fields=',
      'updated_at_min=2020-01-01T00:00:00+02:00&Page=1',
      'created_at_min=2020-01-01 00:00&created_at_max=2099-01-01'.replace(' ', '%20'),
      `access_token=${tokens.access_token}&ids=${film.id}`,
    ])
      for (const name of ['api', 'api2']) {
        const { status, body } = await send('GET', `/${name}/products.json?${query}`, undefined, bearer())
        assert.equal(status, 200, query)
        assert.deepEqual(
          body.products.map(({ id }: Wire) => id),
          [film.id],
          query,
        )
      }
    assert.equal((await get('/api/products/count.json?product_type=')).body.count, 1)
  })

  test('sends the whole product back, with one change and whatever else it holds', async () => {
    const { product } = (await get(`/api2/products/${film.product_id.toLowerCase()}.json`)).body
    const sent = { ...product, title: 'The Longer Way Home', product_id: 'unknown', created_at: 'yesterday', valid: '' }
    const answer = await put(`/api/products/${film.id}.json`, { product: sent })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    const { updated_at: _now, ...after } = answer.body.product
    const { updated_at: _then, ...before } = product
    assert.deepEqual(after, { ...before, title: 'The Longer Way Home' })
  })

  test('reads its files by their numbers, and plays the trailer without a token', async () => {
    await upload(service, shop, film, someVideo(500), { role: 'trailer' })
    await upload(service, shop, film, someVideo(500), { role: 'main_sd' })
    const { content_files } = (await get(`/api2/products/${film.product_id}.json?fields=content_files`)).body.product
    const shown = content_files.map(({ valid, content_type, mime_type }: Wire) => [valid, content_type, mime_type])
    assert.deepEqual(shown, [
      [1, 2, 'video/mp4'],
      [1, 1, 'video/mp4'],
    ])
    const [trailer, main] = content_files
    assert.equal((await fetch(trailer.download_url)).status, 200)
    assert.equal((await fetch(main.download_url)).status, 401)
  })

  test('sorts it into a category, with an empty parent, and changes that by POST', async () => {
    const made = await post('/api/categories.json', { category: { title: 'Films', enabled: 1, parent_id: '' } })
    assert.equal(made.status, 201, JSON.stringify(made.body))
    const { category } = made.body
    const entries = [{ id: 0, product_id: film.product_id }]
    const locales = [{ language: 'en', title: 'Films' }]
    const changed = await post(`/api2/categories/${category.id}.json`, { category: { ...category, entries, locales } })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    assert.deepEqual([changed.body.category.parent_id, changed.body.category.entries.length], [0, 1])
  })

  test('changes the shop under the wrapper in lower case', async () => {
    const [setting] = (await get('/api/themesettings.json')).body.ThemeSettings
    const theme_setting = { ...setting, homepage_url: 'https://www.example.com/', shop_offline: '0' }
    const answer = await put(`/api/themesettings/${setting.id}.json`, { theme_setting })
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    assert.equal(answer.body.ThemeSetting.homepage_url, 'https://www.example.com/')
  })

  test('looks every buyer up before it orders, by a raw address and its fixed password', async () => {
    for (const buyer of ['jane+films', 'joe', 'ann', 'max', 'mia', 'lea', 'tom', 'eva']) {
      const path = `/api/customers.json?email=${buyer}@example.com&password=${FIXED_PASSWORD}`
      const { status, body } = await get(path)
      assert.deepEqual([status, body], [200, {}], buyer)
    }
  })

  test('creates the order for a new customer', async () => {
    const body = {
      order: {
        order_number: 'WC-1042',
        po_number: '',
        confirmed: true,
        test: false,
        currency: 'EUR',
        email: 'jane+films@example.com',
        customer: {
          email: 'jane+films@example.com',
          password: PASSWORD,
          password_confirmation: PASSWORD,
          first_name: 'Jane',
          last_name: 'Roe',
          addresses: [{ address1: 'Main Street 1', city: 'Austin', zip: 73301, country: 'US', province: 'TX' }],
        },
        line_items: [{ product_id: film.product_id, license_id: BUY, quantity: 1, hd: true }],
        discount_codes: [{ code: 'SPRING' }],
        shipping_address: {},
        theme_setting_id: 0,
        customer_notification: 0,
        generate_codes: false,
      },
    }
    const answer = await post('/api/orders.json', body)
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    order = answer.body.order
    assert.deepEqual([order.order_number, order.email], ['WC-1042', 'jane+films@example.com'])
    assert.deepEqual([order.total_price, order.total_discounts], [1341, 149])
    assert.match(order.customer.token, /^[A-Z]{16}$/)
  })

  test('finds the customer by password, learns of a wrong one, and searches by address', async () => {
    const address = 'email=jane+films@example.com'
    const found = await get(`/api2/customers.json?${address}&password=${encodeURIComponent(PASSWORD)}`)
    assert.equal(found.body.customer.token, order.customer.token)
    const wrong = await get(`/api/customers.json?${address}&password=${FIXED_PASSWORD}`)
    assert.deepEqual([wrong.status, wrong.body.error_code], [200, -1])
    assert.ok(Array.isArray(wrong.body.companies))
    const { customers } = (await get('/api/customers/search.json?query=email:jane+films@example.com')).body
    assert.deepEqual(
      customers.map(({ token }: Wire) => token),
      [order.customer.token],
    )
  })

  test('orders again by token, beside an empty customer', async () => {
    const line_items = [{ product_id: film.product_id, license_id: '', quantity: '1' }]
    const again = { customer_token: order.customer.token, customer: null, password: null, line_items }
    const answer = await post('/api2/orders.json', { order: again })
    assert.equal(answer.status, 201, JSON.stringify(answer.body))
    const list = await get(`/api/orders.json?customer_token=${order.customer.token}&Page=&financial_status=`)
    assert.equal(list.body.orders.length, 2)
  })

  test('sells a program for one user and for five, and asks for the plain one by saying nothing', async () => {
    const price_license_binding = [1, 5].map((num_users) => ({ license_id: BUY, price_id: priceId, num_users }))
    const program = { product_type: '4', title: 'Editor', published: '1', price_license_binding }
    const { product_id } = (await post('/api/products.json', { product: program })).body.product
    for (const [sent, users] of [
      [{ hd: true }, 1],
      [{ hd: true, num_users: '5' }, 5],
    ] as const) {
      const line_items = [{ product_id, license_id: BUY, quantity: 1, ...sent }]
      const made = await post('/api/orders.json', { order: { customer_token: order.customer.token, line_items } })
      assert.equal(made.status, 201, JSON.stringify(made.body))
      assert.equal(made.body.order.line_items[0].num_users, users)
    }
    const line_items = [{ product_id, license_id: BUY, quantity: 1, num_users: 6 }]
    const refused = await post('/api/orders.json', { order: { customer_token: order.customer.token, line_items } })
    assert.equal(refused.status, 422)
  })

  test('sends the whole order and the whole customer back', async () => {
    const sent = { ...(await get(`/api/orders/${order.id}.json`)).body.order, order_number: 'WC-1043' }
    const changed = await put(`/api/orders/${order.id}.json`, { order: sent })
    assert.equal(changed.status, 200, JSON.stringify(changed.body))
    assert.equal(changed.body.order.order_number, 'WC-1043')

    const path = `/api/customers/${order.customer.token}.json`
    const { customer } = (await get(path)).body
    const nulls = { password: null, password_confirmation: null, last_name: null }
    const kept = await put(path, { customer: { ...customer, ...nulls, first_name: 'Janet', orders_count: 'many' } })
    assert.equal(kept.status, 200, JSON.stringify(kept.body))
    assert.deepEqual([kept.body.customer.first_name, kept.body.customer.last_name], ['Janet', 'Roe'])
  })

  test('deletes with the type of a body, and without one', async () => {
    for (const path of [`/api2/products/${film.id}.json`, `/api/orders/${order.id}.json`]) {
      const answer = await send('DELETE', path, undefined, bearer())
      assert.deepEqual([answer.status, answer.body], [200, {}], path)
    }
    assert.equal((await get(`/api/products/${film.id}.json`)).status, 404)
    assert.notEqual((await get(`/api/orders/${order.id}.json`)).body.order.cancelled_at, null)
  })

  test('is listed and removed by its client id with a colon, whether or not the header of its secret encodes it', async () => {
    const app = await registerApp(service, shop, [BACK], { clientId: 'DEV:second', name: 'Second' })
    const visitor = await signedIn(service, shop)
    const asked = async () => codeFrom(visitor, app, { redirect_uri: BACK, scope: 'products' })
    for (const id of ['DEV:second', 'DEV%3Asecond']) {
      const authorization = `Basic ${Buffer.from(`${id}:${app.client_secret}`).toString('base64')}`
      const path = `/token?grant_type=refresh_token&refresh_token=${await asked()}`
      const answer = await send('POST', path, undefined, { authorization })
      assert.equal(answer.status, 200, JSON.stringify(answer.body))
      assert.equal(answer.body['as:client_id'], 'DEV:second')
      const { refresh_token, access_token } = answer.body
      const ended = await fetch(`${service.url}/oauth2/revoke?client_id=DEV:second&token=${refresh_token}`, {
        method: 'POST',
      })
      assert.equal(ended.status, 200)
      assert.equal((await send('GET', `/api/tokeninfo?access_token=${access_token}`)).status, 401)
    }
    await asked()
    const page = await adminPage(service, visitor).get('/app_permissions.json')
    assert.match(page.text, /DEV:second|Second/)
    const wrong = `Basic ${Buffer.from(`DEV:second:wrong`).toString('base64')}`
    const refused = await send('POST', '/token?grant_type=refresh_token&refresh_token=x', undefined, {
      authorization: wrong,
    })
    assert.deepEqual([refused.status, refused.body.error], [401, 'invalid_client'])
  })

  test('renews its token from two pages at once, and goes on', async () => {
    const answers = await Promise.all([exchange(tokens.refresh_token), exchange(tokens.refresh_token)])
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
    tokens = answers.find(({ status }) => status === 200)?.body
    assert.equal((await get('/api/orders/count.json')).status, 200)
    assert.equal((await exchange(tokens.refresh_token)).status, 200)
  })
})
