import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { freePort } from '#test/deployed-nginx.ts'
import { bearer, deploy, serveAt, skip } from './behind-nginx.ts'
import { installedFolder, temporaryFolder } from './program.ts'

/** A server that reads a request and closes the connection without an answer, as a service does that is killed. */
async function startDying() {
  const seen: string[] = []
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (data) => {
      seen.push(data.toString().split(' ', 1)[0] ?? '')
      socket.destroy()
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  after(() => void server.close())
  return { seen, port: typeof address === 'object' && address !== null ? address.port : 0 }
}

describe('deploy/nginx.conf', { skip }, () => {
  test('passes the check of nginx, and serves the shop by TLS only', async () => {
    const port = await freePort()
    const service = await serveAt(port, { LICET_DATA: await temporaryFolder() })
    const proxy = await deploy(port)
    const plain = await fetch(`http://127.0.0.1:${proxy.httpPort}/api/products.json?limit=1`, { redirect: 'manual' })
    assert.equal(plain.status, 308)
    assert.match(plain.headers.get('location') ?? '', /^https:\/\/127\.0\.0\.1\/api\/products\.json\?limit=1$/)
    const list = await proxy.send('GET', `/api/products.json?limit=1&access_token=${service.token}`)
    assert.equal(list.status, 200, list.body)
    assert.equal((await proxy.send('GET', '/metrics')).status, 404)
    // A page that takes passwords opens over https only, so the service has understood the protocol of the client.
    assert.equal((await proxy.send('GET', '/sign-in')).status, 200)
    service.kill('SIGTERM')
    await service.ended
  })

  test('sends a change to another service only if the first cannot have done it', async () => {
    const port = await freePort()
    const service = await serveAt(port, { LICET_DATA: await installedFolder() })
    const create = JSON.stringify({ product: { title: 'Once', product_type: 1 } })
    const rename = JSON.stringify({ product: { title: 'Another title' } })
    const count = async () => {
      const answer = await fetch(`http://127.0.0.1:${port}/api/products/count.json`, { headers: bearer(service) })
      return ((await answer.json()) as { count: number }).count
    }
    const before = await count()
    const ask = async (method: string, path: string, body: string, key?: string) => {
      const dying = await startDying()
      const proxy = await deploy(dying.port, port)
      const answers = []
      for (const _turn of [1, 2]) answers.push((await proxy.send(method, path, bearer(service, key), body)).status)
      assert.ok(dying.seen.length > 0, 'nothing was sent to the service that dies')
      return answers.sort()
    }
    // nginx takes turns, so that one of two requests is sent to the service that dies.
    assert.deepEqual(await ask('POST', '/api/products.json', create), [201, 502])
    assert.equal(await count(), before + 1)
    assert.deepEqual(await ask('PUT', '/api/products/1.json', rename), [200, 502])
    assert.deepEqual(await ask('GET', '/api/products/1.json', ''), [200, 200])
    assert.deepEqual(await ask('POST', '/api/products.json', create, randomUUID()), [201, 201])
    assert.equal(await count(), before + 2)
    // Only the API knows keys: a form is not sent twice.
    const forms = await ask('POST', '/sign-in', '{}', randomUUID())
    assert.ok(forms.includes(502), forms.join())

    const nobody = await freePort()
    const proxy = await deploy(nobody, port)
    for (const _turn of [1, 2, 3, 4]) {
      assert.equal((await proxy.send('POST', '/api/products.json', bearer(service), create)).status, 201)
      assert.equal((await proxy.send('PUT', '/api/products/1.json', bearer(service), rename)).status, 200)
    }
    service.kill('SIGTERM')
    await service.ended
  })
})
