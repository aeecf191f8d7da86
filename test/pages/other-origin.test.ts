import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { useBrowser } from '../browser.ts'
import { aProduct } from '../factories.ts'
import { useService } from '../harness.ts'

const service = useService()
const browser = useBrowser()

let server: Server
before(async () => {
  server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Another origin</title>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
})
after(() => void server.close())

type Asked = { url: string; method?: string; headers?: Record<string, string>; body?: string }
type Read = { status: number; text: string; link: string | null; replayed: string | null } | { failed: string }

test('a page of another origin reads and writes with a token, sees errors, and can read no page', async () => {
  const shop = await service.openShop()
  await aProduct(shop)
  await aProduct(shop)
  const page = await browser.newPage()
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
  const ask = (path: string, options: Omit<Asked, 'url'> = {}): Promise<Read> =>
    page.evaluate(
      async ({ url, ...init }: Asked) => {
        try {
          const response = await fetch(url, init)
          const { headers, status } = response
          const [link, replayed] = [headers.get('link'), headers.get('idempotent-replayed')]
          return { status, text: await response.text(), link, replayed }
        } catch (error) {
          return { failed: String(error) }
        }
      },
      { url: `${service.url}${path}`, ...options },
    )
  const authorization = `Bearer ${shop.token}`

  const list = await ask('/api/products.json?limit=1', { headers: { authorization } })
  assert.ok('status' in list, JSON.stringify(list))
  assert.deepEqual([list.status, JSON.parse(list.text).products.length], [200, 1])
  assert.match(list.link ?? '', /rel="next"/)

  const headers = { authorization, 'content-type': 'application/json', 'idempotency-key': 'a', 'x-request-id': 'mine' }
  const film = { method: 'POST', headers, body: JSON.stringify({ product: { product_type: 1, title: 'Film' } }) }
  await ask('/api2/products.json', film)
  assert.partialDeepStrictEqual(await ask('/api2/products.json', film), { status: 201, replayed: 'true' })

  assert.partialDeepStrictEqual(await ask('/api/products.json'), { status: 401 })
  assert.partialDeepStrictEqual(await ask('/api/nothing.json', { headers: { authorization } }), { status: 404 })
  assert.partialDeepStrictEqual(await ask('/token', { method: 'POST' }), { status: 400 })
  assert.partialDeepStrictEqual(await ask('/.well-known/oauth-authorization-server'), { status: 200 })

  for (const path of ['/sign-in', '/account', '/docs', '/health', '/oauth2/auth'])
    assert.match(JSON.stringify(await ask(path)), /Failed to fetch/, path)
})
