import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import Fastify from 'fastify'
import { createLog } from '../../log/log.ts'
import { addEarlyAnswers, type EarlyRequest } from './early-answers.ts'

const PROXIES = ['127.0.0.1', '10.0.0.0/8']

/** A server that says who asked for which host: early for `/early`, and by a route for anything else. */
async function aServer(trustProxy: string[]) {
  const app = Fastify({ trustProxy: trustProxy.length === 0 ? false : trustProxy })
  const counted: string[] = []
  const metrics = { answered: (...values: unknown[]) => void counted.push(values.slice(0, 3).join(' ')) }
  addEarlyAnswers(app, { log: createLog('silent'), metrics, trustProxy, requestId: () => 'id' })
  const said = ({ ip, host }: Pick<EarlyRequest, 'ip' | 'host'>) => JSON.stringify({ ip, host })
  app.answerEarly((request) => {
    if (request.url === '/broken') throw new Error('the file is gone')
    if (request.url !== '/early') return undefined
    return { route: '/:page', headers: ['age', '0'], body: Buffer.from(said(request)) }
  })
  app.get('/*', (request, reply) => reply.send(said(request)))
  app.post('/*', (request, reply) => reply.send(said(request)))
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  after(() => app.close())
  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
    const answer = await fetch(`${address}${path}`, { method, headers })
    return { isEarly: answer.headers.get('age') !== null, headers: answer.headers, text: await answer.text() }
  }
  return { app, ask, counted }
}

test('an early answer knows the visitor and the host as a route does, also behind proxies', async () => {
  for (const trustProxy of [[], PROXIES]) {
    const { ask } = await aServer(trustProxy)
    for (const headers of [
      {},
      { 'x-forwarded-for': '203.0.113.7' },
      { 'x-forwarded-for': '198.51.100.1, 203.0.113.7' },
      { 'x-forwarded-for': '198.51.100.1, 203.0.113.7, 10.1.2.3' },
      { 'x-forwarded-for': '10.9.9.9, 10.1.2.3' },
      { 'x-forwarded-for': '2001:db8::1, 10.1.2.3' },
      { 'x-forwarded-host': 'one.example.com' },
      { 'x-forwarded-host': 'one.example.com, two.example.com', 'x-forwarded-for': '203.0.113.7' },
    ]) {
      const early = await ask('/early', headers)
      assert.ok(early.isEarly)
      assert.equal(early.text, (await ask('/usual', headers)).text, JSON.stringify(headers))
    }
  }
})

test('an early answer has a request id and a length, and is counted under its route', async () => {
  const { ask, counted } = await aServer([])
  const { headers, text } = await ask('/early')
  assert.deepEqual([headers.get('x-request-id'), headers.get('content-length')], ['id', String(text.length)])
  assert.deepEqual(counted, ['GET /:page 200'])
})

test('other requests take the usual way: other methods, odd proxies, and whatever is not known', async () => {
  const { ask } = await aServer(PROXIES)
  assert.ok(!(await ask('/early', {}, 'POST')).isEarly)
  assert.ok(!(await ask('/early', {}, 'HEAD')).isEarly)
  assert.ok(!(await ask('/early', { 'x-forwarded-for': 'unknown' })).isEarly)
  assert.ok(!(await ask('/other')).isEarly)
})

test('a failure while an answer is looked for ends neither the request nor the process', async () => {
  const { ask } = await aServer([])
  const { isEarly, text } = await ask('/broken')
  assert.deepEqual([isEarly, text], [false, (await ask('/usual')).text])
})
