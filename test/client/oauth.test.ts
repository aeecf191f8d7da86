import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import {
  AuthorizationRequiredError,
  authorizeUrl,
  createClient,
  exchangeCode,
  LicetError,
  type TokenStorage,
  type Tokens,
} from '#client/licet.ts'
import { fetchHeld } from '#test/contract.ts'
import { useService } from '#test/harness.ts'
import { registerApp, signedIn } from '#test/people.ts'

const service = useService()
const REDIRECT_URI = 'https://app.example.com/back?from=licet'

type Fetch = typeof fetch

const network: Fetch = (input, init) => fetchHeld(String(input), init as Parameters<typeof fetchHeld>[1])

/** An app at the point where its user has answered the prompt, and come back to an address. */
async function answeredPrompt(decision: 'allow' | 'deny' = 'allow') {
  const shop = await service.openShop()
  const { client_id: clientId, client_secret: clientSecret } = await registerApp(service, shop, [REDIRECT_URI])
  const app = { baseUrl: service.url, clientId, clientSecret }
  const { url, pending } = await authorizeUrl(app, { redirectUri: REDIRECT_URI, scope: ['products', 'orders'] })
  const visitor = await signedIn(service, shop)
  await visitor.get(url.slice(service.url.length))
  const { location = '' } = await visitor.submit(/oauth2/, { decision })
  return { shop, app, pending, location }
}

/** An app with the tokens of a grant, and the client that it makes of them. */
async function connected({ expiresAt, through = network }: { expiresAt?: number; through?: Fetch } = {}) {
  const { app, pending, location } = await answeredPrompt()
  const tokens = await exchangeCode(app, location, pending)
  const kept = keep({ ...tokens, expiresAt: expiresAt ?? tokens.expiresAt })
  const steps: string[] = []
  const watched: Fetch = (input, init) => {
    steps.push(`${init?.method} ${new URL(String(input)).pathname}`)
    return through(input, init)
  }
  const storage: TokenStorage = {
    load: kept.load,
    async save(saved) {
      steps.push('save begins')
      await kept.save(saved)
      steps.push('save ends')
    },
  }
  const licet = createClient({ ...app, storage, fetch: watched })
  return { app, licet, kept, steps, tokens, watched }
}

/** A storage as a database would be: what is loaded is a copy. */
function keep(first?: Tokens) {
  let text = JSON.stringify(first ?? null)
  return {
    load: async (): Promise<Tokens | undefined> => JSON.parse(text) ?? undefined,
    save: async (tokens: Tokens) => {
      text = JSON.stringify(tokens)
    },
  }
}

const isExchange = (step: string) => step === 'POST /token'

describe('the prompt', () => {
  test('leads to tokens of the company, with PKCE', async () => {
    const { shop, app, pending, location } = await answeredPrompt()
    const tokens = await exchangeCode(app, location, pending, { fetch: network })
    assert.equal(tokens.companyId, shop.companyId)
    assert.equal(tokens.scope, 'products,orders')
    assert.ok(Math.abs(tokens.expiresAt - Date.now() - 1_800_000) < 60_000)
    const licet = createClient({ baseUrl: service.url, accessToken: () => tokens.accessToken })
    assert.equal(await licet.products.count(), 0)
  })

  test('needs the verifier that it began with', async () => {
    const { app, pending, location } = await answeredPrompt()
    await assert.rejects(exchangeCode(app, location, { ...pending, codeVerifier: 'x'.repeat(43) }), LicetError)
  })

  test('of somebody else is refused before anything is exchanged', async () => {
    const { app, pending, location } = await answeredPrompt()
    const untouched: Fetch = () => assert.fail('nothing is sent')
    const other = { ...pending, state: 'another session' }
    await assert.rejects(exchangeCode(app, location, other, { fetch: untouched }), { code: 'state_differs' })
  })

  test('tells when the user denies', async () => {
    const { app, pending, location } = await answeredPrompt('deny')
    await assert.rejects(
      exchangeCode(app, location, pending),
      (error) => error instanceof AuthorizationRequiredError && error.code === 'access_denied',
    )
  })
})

describe('tokens', () => {
  test('are used while they are good', async () => {
    const { licet, steps } = await connected()
    await Promise.all([licet.products.count(), licet.orders.count()])
    assert.equal(steps.filter(isExchange).length, 0)
  })

  test('are renewed once before they expire, and saved before they are used', async () => {
    const { licet, kept, steps, tokens } = await connected({ expiresAt: Date.now() + 30_000 })
    const counts = await Promise.all(Array.from({ length: 20 }, () => licet.products.count()))
    assert.deepEqual(new Set(counts), new Set([0]))
    assert.deepEqual(steps.slice(0, 4), ['POST /token', 'save begins', 'save ends', 'GET /api/products/count.json'])
    assert.equal(steps.filter(isExchange).length, 1)
    const saved = await kept.load()
    assert.notEqual(saved?.refreshToken, tokens.refreshToken)
    assert.equal(saved?.companyId, tokens.companyId)
  })

  test('are renewed once when the service says that they have expired', async () => {
    const { licet, steps, kept } = await connected()
    service.clock.advance(1801)
    const counts = await Promise.all(Array.from({ length: 5 }, () => licet.products.count()))
    assert.deepEqual(counts, [0, 0, 0, 0, 0])
    assert.equal(steps.filter(isExchange).length, 1)
    service.clock.advance(1801)
    const refreshToken = (await kept.load())?.refreshToken
    assert.equal(await licet.products.count(), 0)
    assert.notEqual((await kept.load())?.refreshToken, refreshToken)
  })

  // The old refresh token is used up: exchanging it again would end the grant.
  test('that could not be saved are saved later, not exchanged again', async () => {
    const { app, kept, tokens, steps, watched } = await connected({ expiresAt: 0 })
    let isFull = true
    const storage: TokenStorage = {
      load: kept.load,
      async save(saved) {
        if (isFull) throw new Error('disk full')
        await kept.save(saved)
      },
    }
    const licet = createClient({ ...app, storage, fetch: watched })
    await assert.rejects(licet.products.count(), /disk full/)
    await assert.rejects(licet.products.count(), /disk full/)
    assert.equal((await kept.load())?.refreshToken, tokens.refreshToken)
    isFull = false
    assert.equal(await licet.products.count(), 0)
    assert.equal(steps.filter(isExchange).length, 1)
    assert.notEqual((await kept.load())?.refreshToken, tokens.refreshToken)
  })

  test('that another process has renewed are taken from the storage', async () => {
    const { app, licet, kept, steps, watched } = await connected({ expiresAt: 0 })
    const other = createClient({ ...app, storage: kept, fetch: watched })
    assert.deepEqual(await Promise.all([licet.products.count(), other.products.count()]), [0, 0])
    assert.equal(steps.filter(isExchange).length, 2)
    assert.deepEqual(await Promise.all([licet.products.count(), other.products.count()]), [0, 0])
    assert.equal(steps.filter(isExchange).length, 2)
  })

  test('are renewed after a network failure if the service got no request', async () => {
    let failures = 1
    const { licet, steps } = await connected({
      expiresAt: 0,
      through: async (input, init) => {
        if (failures-- > 0) throw new TypeError('fetch failed')
        return network(input, init)
      },
    })
    assert.equal(await licet.products.count(), 0)
    assert.equal(steps.filter(isExchange).length, 2)
  })

  function withoutWaiting(t: TestContext): void {
    t.mock.method(globalThis, 'setTimeout', (done: () => void) => queueMicrotask(done))
  }

  test('that are used up or revoked ask for the prompt', async (t) => {
    withoutWaiting(t)
    const old: Tokens = { accessToken: 'a', refreshToken: 'used', expiresAt: 0, scope: 'orders' }
    const body = { error: 'invalid_grant', error_description: 'The refresh token has been used.' }
    const licet = createClient({
      baseUrl: service.url,
      clientId: 'any',
      storage: keep(old),
      fetch: async () => Response.json(body, { status: 400 }),
    })
    await assert.rejects(licet.orders.count(), (error) => {
      assert.ok(error instanceof AuthorizationRequiredError)
      assert.deepEqual([error.status, error.code, error.message], [400, 'invalid_grant', body.error_description])
      return true
    })
  })

  test('that were never there ask for the prompt', async () => {
    const licet = createClient({ baseUrl: service.url, clientId: 'any', storage: keep() })
    await assert.rejects(licet.orders.count(), { name: 'AuthorizationRequiredError', code: 'tokens_missing' })
  })

  test('need the right secret, where one is sent', async () => {
    const { app, kept } = await connected({ expiresAt: 0 })
    const licet = createClient({ ...app, clientSecret: 'wrong', storage: kept })
    await assert.rejects(licet.orders.count(), { code: 'invalid_client', status: 401 })
  })
})
