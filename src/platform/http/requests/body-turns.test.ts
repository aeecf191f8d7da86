import assert from 'node:assert/strict'
import { request as ask, type ClientRequest } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { PATIENCE_MS } from '#test/patience.ts'
import { createBodyTurns } from './body-turns.ts'

const LIMITS = { ofCompany: 2, ofAll: 3, waitingMax: 2, bodyMs: 60_000 }

/** A server that notes which bodies it has begun to read. The path names the company and the upload. */
async function listen(limits = LIMITS) {
  const begun: string[] = []
  const app = Fastify()
  app.decorateRequest('caller')
  app.addHook('onRequest', async (request) => {
    const companyId = Number(request.url.split('/')[1])
    Object.assign(request, { caller: { companyId } })
  })
  app.addContentTypeParser('image/png', async (request: { url: string }, body: AsyncIterable<Buffer>) => {
    begun.push(request.url)
    const chunks = await Array.fromAsync(body)
    return Buffer.concat(chunks).toString()
  })
  app.post('/:company/:upload', { preParsing: createBodyTurns(limits) }, async ({ body }) => body)
  await app.listen({ port: 0, host: '127.0.0.1' })
  after(() => app.close())
  const { port } = app.server.address() as AddressInfo

  /** Sends the first half of a body. */
  function begin(path: string) {
    const headers = { 'content-type': 'image/png', 'content-length': 4 }
    const client: ClientRequest = ask({ port, path, method: 'POST', headers, agent: false })
    const status = new Promise<number | undefined>((resolve) => {
      client.on('response', (response) => resolve(response.resume().statusCode))
      client.on('error', () => resolve(undefined))
    })
    client.write('ab')
    return { status, finish: () => client.end('cd'), leave: () => client.destroy() }
  }

  async function untilBegun(count: number): Promise<void> {
    const deadline = performance.now() + PATIENCE_MS
    while (begun.length < count) {
      if (performance.now() > deadline) throw new Error(`only ${begun} were begun`)
      await new Promise(setImmediate)
    }
  }
  return { begun, begin, untilBegun }
}

test('a company has a few large bodies in memory at once, and holds up no other one', async () => {
  const { begun, begin, untilBegun } = await listen()
  const slow = [begin('/1/a'), begin('/1/b')]
  await untilBegun(2)
  const third = begin('/1/c')
  third.finish()
  const other = begin('/2/a')
  other.finish()
  assert.equal(await other.status, 200)
  assert.ok(!begun.includes('/1/c'), 'it was read before it was its turn')
  slow[0]?.finish()
  assert.deepEqual([await slow[0]?.status, await third.status], [200, 200])
  slow[1]?.finish()
  assert.equal(await slow[1]?.status, 200)
})

test('all companies together have a few, and whoever leaves makes room', async () => {
  const { begun, begin, untilBegun } = await listen()
  const slow = [begin('/1/a'), begin('/2/a'), begin('/3/a')]
  await untilBegun(3)
  const fourth = begin('/4/a')
  fourth.finish()
  const gone = begin('/4/b')
  gone.leave()
  assert.equal(await gone.status, undefined)
  assert.equal(begun.length, 3)
  slow[1]?.leave()
  assert.equal(await fourth.status, 200)
  assert.equal(begun.length, 4)
  for (const each of [slow[0], slow[2]]) each?.finish()
  assert.deepEqual([await slow[0]?.status, await slow[2]?.status], [200, 200])
})

test('more than can wait are refused', async () => {
  const { begin, untilBegun } = await listen({ ...LIMITS, ofCompany: 1, waitingMax: 0 })
  const first = begin('/1/a')
  await untilBegun(1)
  assert.equal(await begin('/1/b').status, 503)
  first.finish()
  assert.equal(await first.status, 200)
})

test('a body that takes too long is given up', async () => {
  const { begin, untilBegun } = await listen({ ...LIMITS, bodyMs: 50 })
  const slow = begin('/1/a')
  await untilBegun(1)
  assert.equal(await slow.status, undefined)
})
