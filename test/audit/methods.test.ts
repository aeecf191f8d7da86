import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { useService } from '../harness.ts'
import { collectRoutes } from './collect-routes.ts'

const routes = collectRoutes()
const service = useService()

const ORIGIN = ['Origin: https://other.example']
const PREFLIGHT = [...ORIGIN, 'Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: authorization']

type Raw = { status: number; headers: Headers; body: string }

/** Sends a request with any method, as a page of another site would. */
async function ask(method: string, path: string, headers: string[] = ORIGIN): Promise<Raw> {
  const { hostname, port, host } = new URL(service.url)
  const socket = connect(Number(port), hostname)
  const lines = [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...headers, 'Content-Length: 0', 'Connection: close']
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  const [head = '', body = ''] = (await text(socket)).split('\r\n\r\n')
  const [first = '', ...rest] = head.split('\r\n')
  const pairs = rest.map((line): [string, string] => [line.slice(0, line.indexOf(':')), line.split(': ')[1] ?? ''])
  return { status: Number(first.split(' ')[1]), headers: new Headers(pairs), body }
}

/** The routes of shops answer on the hosts of shops. */
const ofThisHost = () => routes().filter(({ site = 'own' }) => site === 'own')

/** An address for every path that is served. The one for all paths of shops stands for none. */
const paths = () => {
  const urls = new Set(ofThisHost().map(({ url }) => url))
  urls.delete('/*')
  return [...urls].map((url) => ({ url, path: url.replace('*', 'x').replaceAll(/:\w+/g, '1') }))
}

const isShared = (path: string) => /^\/(api\/|files\/|lcp\/|token$|openapi\.json$|\.well-known\/)/.test(path)

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'TRACE', 'PROPFIND']

describe('a method that a path does not have', () => {
  test('is 405, and Allow lists those that it has', async () => {
    assert.ok(paths().length > 50, 'saw too few routes')
    for (const { url, path } of paths()) {
      // No route of any path has this one.
      const { headers } = await ask('REPORT', path)
      const allowed = headers.get('allow')?.split(', ') ?? []
      const own = ofThisHost().filter((route) => route.url === url)
      for (const { method } of own) assert.ok(allowed.includes(method), `${method} ${path}: ${allowed}`)
      assert.equal(allowed.includes('OPTIONS'), isShared(path), path)
      for (const method of METHODS) {
        const answer = await ask(method, path)
        assert.equal(answer.status === 405, !allowed.includes(method), `${method} ${path}: ${answer.status}`)
        if (answer.status !== 405) continue
        assert.equal(answer.headers.get('allow'), allowed.join(', '), `${method} ${path}`)
        if (method === 'HEAD') continue
        const { error_code, code, reason, request_id } = JSON.parse(answer.body)
        assert.deepEqual([error_code, code, reason], [405, 'method_not_allowed', 'method_not_allowed'])
        assert.equal(request_id, answer.headers.get('x-request-id'))
      }
    }
  })

  test('is 405 before its body is looked at, and whoever asks', async () => {
    const shop = await service.openShop()
    const body = '{"broken'
    for (const path of ['/api/products.json', '/api/products/1.json', '/api2/products.json', '/token']) {
      assert.equal((await service.call('PATCH', path, { token: shop.token, body })).status, 405, path)
      assert.equal((await service.call('PATCH', path, { headers: { 'content-type': 'text/x' }, body })).status, 405)
    }
  })

  test('is 405 on the host of a shop too, for the API', async () => {
    const host = `1000.localhost:${new URL(service.url).port}`
    const call = (method: string, path: string) => service.call(method, path, { headers: { host } })
    assert.equal((await call('GET', '/api/orders/1/refunds.json')).status, 405)
    assert.equal((await call('PATCH', '/api/products.json')).status, 405)
    assert.equal((await call('POST', '/sign-in')).status, 404)
  })

  test('stays 404 where there is no path', async () => {
    for (const method of METHODS)
      for (const path of ['/nothing', '/api/nothing.json', '/api/products.json/']) {
        const { status, headers } = await ask(method, path)
        assert.deepEqual([status, headers.get('allow')], [404, null], `${method} ${path}`)
      }
  })
})

describe('a page of another origin', () => {
  test('can read the answers of the API, of the exchange and of what describes them, and no page', async () => {
    for (const { path } of paths())
      for (const method of ['GET', 'POST', 'PATCH']) {
        const { headers } = await ask(method, path)
        const expected = isShared(path) ? '*' : null
        assert.equal(headers.get('access-control-allow-origin'), expected, `${method} ${path}`)
        assert.equal(headers.get('access-control-allow-credentials'), null)
      }
  })

  test('gets an answer to its preflight for these, and for nothing else', async () => {
    for (const { path } of paths()) {
      const { status, headers, body } = await ask('OPTIONS', path, PREFLIGHT)
      if (isShared(path)) {
        assert.deepEqual([status, body, headers.get('access-control-allow-origin')], [204, '', '*'], path)
        for (const method of ['GET', 'POST', 'PUT', 'DELETE'])
          assert.ok(headers.get('access-control-allow-methods')?.split(', ').includes(method))
        for (const name of ['Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match', 'X-Request-Id'])
          assert.ok(headers.get('access-control-allow-headers')?.split(', ').includes(name))
        assert.match(headers.get('access-control-max-age') ?? '', /^\d+$/)
      } else {
        assert.equal(status, 405, path)
        assert.deepEqual([...headers.keys()].filter((name) => name.startsWith('access-control')).length, 0, path)
      }
    }
    // A page can read that there is nothing.
    assert.equal((await ask('OPTIONS', '/api/nothing.json', PREFLIGHT)).status, 204)
    assert.equal((await ask('OPTIONS', '/api2/products.json', PREFLIGHT)).status, 204)
    for (const path of ['/apix', '/tokens', '/nothing'])
      assert.equal((await ask('OPTIONS', path, PREFLIGHT)).headers.get('access-control-allow-origin'), null, path)
  })
})
