import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import {
  ChangedError,
  type Client,
  ConnectionError,
  createClient,
  InsufficientScopeError,
  LicetError,
  NotFoundError,
  PasswordDiffersError,
  RateLimitedError,
  UnauthorizedError,
  UnavailableError,
  ValidationError,
  verifyWebhook,
} from '#client/licet.ts'
import { fetchHeld } from '#test/contract.ts'
import { anEmail, CUSTOMER_PASSWORD } from '#test/customers.ts'
import { aProduct } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { signedIn } from '#test/people.ts'
import { useReceiver } from '#test/receiver.ts'
import { newSecret } from '#test/webhooks.ts'

const service = useService()
const receiver = useReceiver()

type Fetch = typeof fetch
type Sent = { method: string; url: URL; headers: Headers }

/** The real network, checked against the OpenAPI document. */
const network: Fetch = (input, init) => fetchHeld(String(input), init as Parameters<typeof fetchHeld>[1])

/** A client of the shop that keeps a list of its requests. */
function clientOf(shop: Pick<Shop, 'token'>, through: Fetch = network): { licet: Client; sent: Sent[] } {
  const sent: Sent[] = []
  const licet = createClient({
    baseUrl: service.url,
    accessToken: shop.token,
    fetch: (input, init) => {
      sent.push({ method: init?.method ?? 'GET', url: new URL(String(input)), headers: new Headers(init?.headers) })
      return through(input, init)
    },
  })
  return { licet, sent }
}

async function toArray<Entry>(entries: AsyncIterable<Entry>): Promise<Entry[]> {
  const all: Entry[] = []
  for await (const entry of entries) all.push(entry)
  return all
}

describe('the session of a user', () => {
  test('is what the pages of the service use: its cookie goes along, and nothing else', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const { cookies } = await signedIn(service, shop)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const sent: Sent[] = []
    const licet = createClient({
      baseUrl: service.url,
      session: true,
      fetch: (input, init) => {
        const headers = new Headers(init?.headers)
        sent.push({ method: init?.method ?? 'GET', url: new URL(String(input)), headers: new Headers(headers) })
        headers.set('cookie', cookie)
        headers.set('origin', service.url)
        return network(input, { ...init, headers })
      },
    })
    let etag = ''
    const read = await licet.products.get(film.id, {}, { onHeaders: (headers) => (etag = headers.get('etag') ?? '') })
    assert.equal(read.title, film.title)
    await licet.products.update(film.id, { title: 'Salt House' }, { ifMatch: etag })
    const late = licet.products.update(film.id, { title: 'Too late' }, { ifMatch: etag })
    await assert.rejects(late, ChangedError)
    const { session } = await licet.request('GET', '/admin/api/session.json')
    assert.equal(session.company.id, shop.companyId)
    assert.deepEqual([...new Set(sent.map(({ url }) => url.pathname.slice(0, 11)))], ['/admin/api/'])
    assert.ok(sent.every(({ headers }) => !headers.has('authorization')))
  })
})

describe('lists', () => {
  test('are read to their end, page by page', async () => {
    const shop = await service.openShop()
    const titles = ['A', 'B', 'C', 'D', 'E']
    for (const title of titles) await aProduct(shop, { title, product_type: 9 })
    await aProduct(shop, { title: 'Another type', product_type: 16 })
    const { licet, sent } = clientOf(shop)

    const found = await toArray(licet.products.list({ product_type: 9, fields: 'id,title', limit: 2 }))

    assert.deepEqual(
      found.map((product) => product.title),
      titles,
    )
    assert.equal(sent.length, 3)
    for (const { url } of sent) assert.equal(url.searchParams.get('fields'), 'id,title')
    const pages = await toArray(licet.products.list({ product_type: 9, limit: 2 }).pages())
    assert.deepEqual(
      pages.map((page) => page.length),
      [2, 2, 1],
    )
  })

  test('ask for no page before it is needed', async () => {
    const shop = await service.openShop()
    for (const title of ['A', 'B', 'C']) await aProduct(shop, { title })
    const { licet, sent } = clientOf(shop)
    const products = licet.products.list({ limit: 1 })
    assert.equal(sent.length, 0)
    for await (const product of products) if (product.title === 'B') break
    assert.equal(sent.length, 2)
  })

  // The token must not be sent to an address that an answer names.
  test('stay at the address of the client', async () => {
    const shop = await service.openShop()
    for (const title of ['A', 'B']) await aProduct(shop, { title })
    const { licet, sent } = clientOf(shop, async (input, init) => {
      const answer = await network(input, init)
      const link = answer.headers.get('link')?.replace(service.url, 'https://elsewhere.example.com')
      return new Response(await answer.text(), link === undefined ? {} : { headers: { link } })
    })
    assert.equal((await toArray(licet.products.list({ limit: 1 }))).length, 2)
    assert.deepEqual([...new Set(sent.map(({ url }) => url.origin))], [service.url])
  })

  test('with one object or none are lists too', async () => {
    const { licet } = clientOf(await service.openShop())
    const [company] = await toArray(licet.companies.list({ self: true }))
    assert.match(company?.company_name ?? '', /^Shop /)
    assert.deepEqual(await toArray(licet.customers.list({ email: anEmail(), password: CUSTOMER_PASSWORD })), [])
  })
})

describe('resources', () => {
  test('are created, read, counted, changed and deleted without wrappers', async () => {
    const { licet } = clientOf(await service.openShop())
    const product = await licet.products.create({ product_type: 9, title: 'The Long Way Home' })
    assert.equal((await licet.products.get(product.id)).title, 'The Long Way Home')
    assert.deepEqual(await licet.products.get(product.id, { fields: 'title' }), { title: 'The Long Way Home' })
    assert.equal(await licet.products.count({ product_type: 9 }), 1)
    assert.equal((await licet.products.update(product.id, { title: 'Home' })).title, 'Home')
    assert.equal(await licet.products.delete(product.id), undefined)
    await assert.rejects(licet.products.get(product.id), NotFoundError)
  })

  test('have resources below them', async () => {
    const shop = await service.openShop()
    const film = await aFilm(service, shop)
    const customer = await aBuyer(shop)
    const order = await anOrder(shop, customer, [film])
    const { licet } = clientOf(shop)

    const refund = await licet.orders.refunds.create(order.id, { all: true, note: 'Wrong film.' })
    assert.equal(refund.note, 'Wrong film.')
    await licet.customers.addresses.create(customer.token, { city: 'Bern', country: 'CH' })
    const addresses = await toArray(licet.customers.addresses.list(customer.token))
    const bern = addresses.find(({ city }) => city === 'Bern')
    assert.equal((await licet.customers.addresses.default(customer.token, bern?.id ?? 0)).default, true)
    assert.equal((await toArray(licet.fulfillments.open())).length, 0)
  })

  test('are reached by path too, with the whole answer', async () => {
    const { licet } = clientOf(await service.openShop())
    const made = await licet.request('POST', '/api/categories.json', { body: { category: { title: 'Films' } } })
    const { category } = await licet.request('GET', '/api/categories/{id}.json', { params: { id: made.category.id } })
    assert.equal(category.title, 'Films')
  })

  for (const id of ['', '.', '..', undefined])
    test(`refuse the id ${JSON.stringify(id)}, which would ask for another path`, async () => {
      const { licet, sent } = clientOf(await service.openShop())
      assert.throws(() => licet.customers.addresses.list(id as string), TypeError)
      assert.equal(sent.length, 0)
    })
})

describe('webhooks', () => {
  test('deliver events that the client verifies, also while a secret is rotated', async () => {
    const shop = await service.openShop()
    const { licet } = clientOf(shop)
    const old = await newSecret(service, shop)
    await licet.webhooks.create({ topic: 'product/create', address: receiver.url('/events') })
    const product = await licet.products.create({ product_type: 9, title: 'The Long Way Home' })
    await service.runJobs()
    const [first] = receiver.at('/events')
    assert.ok(first)
    const event = await verifyWebhook(first.text, first.headers, old)
    assert.deepEqual(event.data, { type: 'product', id: String(product.id), long_id: product.product_id })

    const present = await newSecret(service, shop, 3600)
    await licet.products.create({ product_type: 9, title: 'Home' })
    await service.runJobs()
    const second = receiver.at('/events')[1]
    assert.ok(second)
    for (const secret of [old, present]) await verifyWebhook(second.text, second.headers, secret)
    const [delivery] = await toArray(licet.webhooks.deliveries.list((await toArray(licet.webhooks.list()))[0]?.id ?? 0))
    assert.equal(delivery?.state, 'delivered')
  })
})

describe('refusals', () => {
  test('say what is wrong with which field, and name the request', async () => {
    const { licet } = clientOf(await service.openShop())
    await assert.rejects(licet.products.create({ title: 'No type' }), (error) => {
      assert.ok(error instanceof ValidationError)
      assert.ok(error instanceof LicetError)
      assert.equal(error.name, 'ValidationError')
      assert.equal(error.message, 'Product type is required.')
      assert.deepEqual(error.errors, { product_type: ['is required'] })
      assert.deepEqual([error.status, error.code, error.reason], [422, 'validation_failed', 'field_required'])
      assert.ok(service.log.some((line) => line.includes(String(error.requestId))))
      return true
    })
  })

  test('have a class for each code', async () => {
    const shop = await service.openShop()
    const { licet: onlyProducts } = clientOf(await shop.withScopes('products'))
    await assert.rejects(onlyProducts.orders.count(), InsufficientScopeError)
    await assert.rejects(clientOf({ token: 'unknown' }).licet.orders.count(), UnauthorizedError)
    await assert.rejects(clientOf(shop).licet.orders.get(1), NotFoundError)
  })

  test('include a password that differs, which the service answers with 200', async () => {
    const shop = await service.openShop()
    const { email } = await aBuyer(shop)
    const { licet } = clientOf(shop)
    const [found] = await toArray(licet.customers.list({ email, password: CUSTOMER_PASSWORD }))
    assert.equal(found?.email, email)
    await assert.rejects(toArray(licet.customers.list({ email, password: 'another password' })), PasswordDiffersError)
  })

  test('of a proxy, which are no JSON, go by their status', async () => {
    const { licet } = clientOf({ token: 'any' }, async () => new Response('<h1>Not Implemented</h1>', { status: 501 }))
    await assert.rejects(licet.orders.count(), (error) => error instanceof LicetError && error.status === 501)
    const { licet: unauthorized } = clientOf({ token: 'any' }, async () => new Response('', { status: 401 }))
    await assert.rejects(unauthorized.orders.count(), UnauthorizedError)
  })
})

describe('retries', () => {
  /** Waits for nothing, and remembers for how long the client wanted to wait. */
  function waits(t: TestContext): number[] {
    const delays: number[] = []
    t.mock.method(globalThis, 'setTimeout', (done: () => void, delayMs: number) => {
      delays.push(delayMs)
      queueMicrotask(done)
    })
    return delays
  }

  /** Gives these answers before the network is asked. */
  function after(answers: (() => Response | Promise<Response>)[], then: Fetch = network): Fetch {
    const left = [...answers]
    return async (input, init) => left.shift()?.() ?? then(input, init)
  }

  const refused =
    (status: number, headers: Record<string, string> = {}) =>
    () =>
      new Response('{}', { status, headers })
  const broken = () => Promise.reject(new TypeError('fetch failed'))
  const counted: Fetch = async () => Response.json({ count: 7 })

  test('wait as long as the service says', async (t) => {
    const delays = waits(t)
    const inTwoMinutes = new Date(Date.now() + 30_000).toUTCString()
    const answers = [refused(429, { 'retry-after': '3' }), refused(503, { 'retry-after': inTwoMinutes })]
    const { licet, sent } = clientOf({ token: 'any' }, after(answers, counted))
    assert.equal(await licet.orders.count(), 7)
    assert.equal(sent.length, 3)
    assert.equal(delays[0], 3000)
    assert.ok(Number(delays[1]) > 28_000 && Number(delays[1]) <= 30_000)
  })

  test('wait longer each time where it says nothing, and end', async (t) => {
    const delays = waits(t)
    const { licet, sent } = clientOf({ token: 'any' }, async () => refused(503)())
    await assert.rejects(licet.orders.count(), UnavailableError)
    assert.equal(sent.length, 5)
    for (const [at, delayMs] of delays.entries()) {
      const full = 500 * 2 ** at
      assert.ok(delayMs >= full / 2 && delayMs <= full, `${delayMs} ms before retry ${at + 1}`)
    }
  })

  test('leave it to the caller to wait for more than a minute', async (t) => {
    const delays = waits(t)
    const { licet } = clientOf({ token: 'any' }, after([refused(429, { 'retry-after': '3600' })]))
    await assert.rejects(
      licet.orders.count(),
      (error) => error instanceof RateLimitedError && error.retryAfterSeconds === 3600,
    )
    assert.deepEqual(delays, [])
  })

  test('do the work once: a POST whose answer was lost has the same key again', async () => {
    const shop = await service.openShop()
    let isLost = false
    const { licet, sent } = clientOf(shop, async (input, init) => {
      const answer = await network(input, init)
      if (isLost) return answer
      isLost = true
      throw new TypeError('terminated')
    })
    await licet.products.create({ product_type: 9, title: 'Once' })
    assert.equal((await shop.get('/api/products/count.json')).body.count, 1)
    const keys = sent.map(({ headers }) => headers.get('idempotency-key'))
    assert.equal(keys.length, 2)
    assert.equal(keys[0], keys[1])
    await licet.products.create({ product_type: 9, title: 'Once' }, { idempotencyKey: 'mine-1' })
    assert.equal(sent.at(-1)?.headers.get('idempotency-key'), 'mine-1')
    assert.equal((await shop.get('/api/products/count.json')).body.count, 2)
  })

  test('do not repeat a change without a key after a network failure', async (t) => {
    waits(t)
    const { licet, sent } = clientOf({ token: 'any' }, broken)
    await assert.rejects(licet.products.update(1, { title: 'x' }), ConnectionError)
    await assert.rejects(licet.products.delete(1), ConnectionError)
    assert.equal(sent.length, 2)
    await assert.rejects(licet.products.get(1), ConnectionError)
    assert.equal(sent.length, 2 + 5)
  })

  test('repeat what may have been done or not like a network failure: only what can be done twice', async (t) => {
    waits(t)
    for (const status of [502, 504]) {
      const { licet, sent } = clientOf({ token: 'any' }, after([refused(status)], counted))
      await assert.rejects(licet.products.update(1, { title: 'x' }), LicetError)
      assert.equal(sent.length, 1)
      const { licet: other } = clientOf({ token: 'any' }, after([refused(status)], counted))
      assert.equal(await other.orders.count(), 7)
    }
  })

  test('wait for the first request with the same key', async (t) => {
    waits(t)
    const inUse = () => Response.json({ code: 'conflict', reason: 'idempotency_key_in_use' }, { status: 409 })
    const made = async () => Response.json({ product: { id: 5 } }, { status: 201 })
    const { licet } = clientOf({ token: 'any' }, after([inUse], made))
    assert.equal((await licet.products.create({ product_type: 9, title: 'x' })).id, 5)
  })

  test('end when the caller does', async (t) => {
    const abort = new AbortController()
    t.mock.method(globalThis, 'setTimeout', () => queueMicrotask(() => abort.abort(new Error('closed'))))
    const { licet, sent } = clientOf({ token: 'any' }, async () => refused(503, { 'retry-after': '30' })())
    await assert.rejects(licet.orders.count({}, { signal: abort.signal }), /closed/)
    assert.equal(sent.length, 1)
  })

  test('answer a service that says nothing with an error', async () => {
    const silent: Fetch = (_input, init) =>
      new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
    const licet = createClient({ baseUrl: service.url, accessToken: 'any', fetch: silent, timeoutMs: 1, maxRetries: 0 })
    // The timer of a time-out does not keep Node running, and the test waits for nothing else.
    const alive = setInterval(() => {}, 1000)
    await assert.rejects(licet.orders.count(), ConnectionError)
    clearInterval(alive)
  })
})
