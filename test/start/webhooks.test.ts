import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { Webhook as StandardWebhook } from 'standardwebhooks'
import { TOPICS } from '#history/events/topics.facts.ts'
import { readConfig } from '#platform/settings/config.ts'
import { listen } from '#program/command-line/listen.ts'
import { aProduct, eventsOf } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useReceiver } from '#test/receiver.ts'
import { aWebhook, newSecret } from '#test/webhooks.ts'
import { serve, start, temporaryFolder, until } from './program.ts'
import { run } from './terminal.ts'

const service = useService()
const receiver = useReceiver()
const folder = temporaryFolder()

/** Runs a command in the database of the service. */
async function licet(...args: string[]) {
  return run(args, { PORT: '0', LICET_DATA: await folder, DATABASE_URL: service.database.url })
}

const of = ({ companyId }: Shop) => ['--company', String(companyId)]

describe('licet webhooks', () => {
  test('lists webhooks of every app, and shows them with their deliveries', async () => {
    const shop = await service.openShop()
    const none = await licet('webhooks', 'list', ...of(shop))
    assert.equal(none.out, 'The company has no webhooks. Apps create them with POST /api/webhooks.json.\n')
    const { id } = await aWebhook(shop, 'http://me:secret@127.0.0.1:1/hook')
    await aProduct(shop)
    await service.runJobs()
    const list = await licet('webhooks', 'list', ...of(shop))
    const address = 'http://me:\\*\\*\\*@127.0.0.1:1/hook'
    assert.match(list.out, /^ +Id +App +Topic +Address +State +Failures\n/)
    assert.match(list.out, new RegExp(`^ *${id} +${shop.appId} +product/create +${address} +retrying +1$`, 'm'))
    const given = { is_active: false, inactive_reason: 'failing' }
    await service.db.updateTable('webhooks').set(given).where('company_id', '=', shop.companyId).execute()
    const ended = await licet('webhooks', 'list', ...of(shop))
    assert.match(ended.out, new RegExp(`^ *${id} .* deactivated \\(failing\\) +1$`, 'm'))
    const back = { is_active: true, inactive_reason: null }
    await service.db.updateTable('webhooks').set(back).where('company_id', '=', shop.companyId).execute()
    assert.match((await licet('webhooks', 'list', '--topic', 'orders/create', ...of(shop))).out, /no webhooks/)
    const show = await licet('webhooks', 'show', String(id), ...of(shop))
    assert.match(show.out, new RegExp(`^Webhook ${id}, product/create to ${address}: retrying\\.\nFailing since .*\n`))
    assert.match(show.out, / product\/create +\d+ +pending +1 .*refused/)
    const other = await licet('webhooks', 'show', String(id), ...of(await service.openShop()))
    assert.deepEqual([other.code, other.err], [1, `There is no webhook ${id}.\n`])
    const json = JSON.parse((await licet('webhooks', 'deliveries', String(id), ...of(shop), '--json')).out)
    assert.deepEqual([json.deliveries.length, json.deliveries[0].attempts.length], [1, 1])
    assert.equal(
      (await licet('webhooks', 'deliveries', String(id), ...of(shop), '--failed')).out,
      'There are no such deliveries.\n',
    )
  })

  test('pauses, resumes, tests, replays and deletes a webhook', async () => {
    const shop = await service.openShop()
    const { id } = await aWebhook(shop, receiver.url('/cli'))
    const act = (name: string, ...options: string[]) => licet('webhooks', name, String(id), ...of(shop), ...options)
    assert.match((await act('pause')).out, /: paused\.\n$/)
    await aProduct(shop)
    await service.runJobs()
    assert.equal(receiver.at('/cli').length, 0)
    assert.match((await act('resume')).out, /: active\.\n$/)
    await service.runJobs()
    assert.match((await act('test', '--topic', 'orders/create')).out, /^Delivery \d+ with a made-up order\/create/)
    await service.runJobs()
    assert.deepEqual(
      receiver.at('/cli').map(({ body }) => [body.scope, body.producer]),
      [
        ['product/create', 'shop'],
        ['order/create', 'test'],
      ],
    )
    const [latest] = JSON.parse((await act('deliveries', '--json')).out).deliveries
    assert.equal((await act('replay', '--delivery', String(latest.id))).out, '1 delivery is sent again.\n')
    await service.runJobs()
    assert.equal((await act('replay', '--failed')).out, '0 deliveries are sent again.\n')
    assert.equal((await act('replay', '--from', '2000-01-01')).out, '2 deliveries are sent again.\n')
    await service.runJobs()
    assert.equal(receiver.at('/cli').length, 5)
    for (const wrong of [[], ['--delivery', '1', '--failed'], ['--from', 'yesterday']]) {
      const refused = await act('replay', ...wrong)
      assert.deepEqual([refused.code, refused.out], [2, ''], wrong.join(' '))
    }
    assert.equal((await act('delete')).out, 'The webhook is deleted.\n')
    assert.equal((await shop.get(`/api/webhooks/${id}.json`)).status, 404)
  })
})

describe('licet trigger', () => {
  test('makes a real change, and names the webhooks that get its event', async () => {
    const shop = await service.openShop()
    for (const topic of TOPICS.filter((name) => name !== 'app/uninstalled')) {
      const { id } = await aWebhook(shop, receiver.url(`/trigger/${topic}`), topic)
      const made = await licet('trigger', topic.replace('/', 's/'), ...of(shop))
      assert.equal(made.code, 0, made.err)
      assert.match(made.out, new RegExp(`: ${topic}\\.\n\nWebhook +Address\n *${id} `), topic)
      await service.runJobs()
      const events = receiver.at(`/trigger/${topic}`)
      assert.equal(events.length, 1, topic)
      assert.equal(events[0]?.body.scope, topic)
    }
    const { orders } = (await shop.get('/api/orders.json')).body
    assert.deepEqual(
      orders.map(({ test }: { test: boolean }) => test),
      [true, true, true],
    )
    assert.equal((await shop.get('/api/products/count.json?published_status=published')).body.count, 0)
    const mails = service.db.selectFrom('mails').select('id').where('recipient', 'like', 'test-%')
    assert.deepEqual(await mails.execute(), [])
    // What the first trigger made is used again.
    const count = (await shop.get('/api/products/count.json')).body.count
    assert.equal((await licet('trigger', 'order/create', ...of(shop))).code, 0)
    assert.equal((await shop.get('/api/products/count.json')).body.count, count)
  })

  test('leaves no more than one thing of each kind, however often it is called', async () => {
    const shop = await service.openShop()
    const left = async () => {
      const count = async (path: string) => (await shop.get(`/api/${path}/count.json`)).body.count
      const kinds = ['products', 'customers', 'subscribers', 'groupmembers', 'newsrecipients', 'prices']
      return Promise.all(kinds.map(count))
    }
    const kinds = ['product', 'customer', 'subscriber', 'groupmember', 'newsrecipient']
    for (let times = 0; times < 3; times += 1) {
      for (const kind of kinds) assert.equal((await licet('trigger', `${kind}/create`, ...of(shop))).code, 0, kind)
      assert.equal((await licet('trigger', 'subscriber/update', ...of(shop))).code, 0)
      assert.deepEqual(await left(), [1, 1, 1, 1, 1, 1], `after ${times + 1}`)
    }
  })

  test('says what to type instead where it cannot', async () => {
    const shop = await service.openShop()
    const unknown = await licet('trigger', 'order/paid', ...of(shop))
    assert.deepEqual([unknown.code, unknown.out], [2, ''])
    assert.match(unknown.err, /^There is no topic order\/paid\. There are customer\/create, .*app\/update\.\n$/)
    const removal = await licet('trigger', 'app/uninstalled', ...of(shop))
    assert.equal(removal.code, 2)
    assert.match(removal.err, /licet app remove CLIENT_ID/)
    const app = await licet('trigger', 'app/update', ...of(shop), '--app', 'nobody')
    assert.deepEqual([app.code, app.err], [2, `Company ${shop.companyId} has not installed the app nobody.\n`])
    assert.deepEqual(await eventsOf(service, shop), [])
    const quiet = await licet('trigger', 'product/create', ...of(shop))
    assert.match(quiet.out, /No active webhook gets product\/create\. "licet listen" shows events without one\./)
  })
})

describe('licet listen', () => {
  /** Listens in this process, until the test stops it. */
  function listening(shop: Shop, path: string, options: { url?: string; token?: string; topics?: string } = {}) {
    const stopping = new AbortController()
    const lines: string[] = []
    const out = (text: string) => void lines.push(...text.split('\n'))
    const terminal = { config: () => readConfig({}), out, err: out, exitCode: () => {} }
    const { url = service.url, token = shop.token, ...rest } = options
    const source = { url, token: async (isRefused: boolean) => (isRefused ? undefined : token), facts: [] }
    const forwardTo = path.startsWith('http') ? path : receiver.url(path)
    const ended = listen(terminal, source, { forwardTo, ...rest }, stopping.signal)
    const says = (pattern: RegExp) => until(String(pattern), () => lines.some((line) => pattern.test(line)))
    const stop = () => {
      stopping.abort()
      return ended
    }
    return { lines, ended, says, stop }
  }

  test('posts each event to the address, signed for the app, and prints what became of it', async () => {
    const shop = await service.openShop()
    const secret = await newSecret(service, shop)
    const listener = listening(shop, '/listen', { topics: 'product/create,product/delete' })
    await listener.says(/^Forwarding events of http/)
    receiver.answer = ({ body }, response) => void response.writeHead(body.scope === 'product/delete' ? 500 : 204).end()
    const product = await aProduct(shop)
    await shop.put(`/api/products/${product.id}.json`, { product: { title: 'Changed' } })
    await shop.delete(`/api/products/${product.id}.json`)
    await service.runJobs()
    await listener.says(/product\/delete/)
    await listener.stop()
    const [, created = '', deleted = '', ...more] = listener.lines
    assert.deepEqual(more, [])
    assert.match(created, new RegExp(`^\\d\\d:\\d\\d:\\d\\d  evt_\\d+  product/create ${product.id}  204  \\d+ ms$`))
    assert.match(deleted, new RegExp(`evt_\\d+  product/delete ${product.id}  500  \\d+ ms$`))
    const [event, ...others] = receiver.at('/listen')
    assert.equal(others.length, 1, 'an event that was refused is not sent again')
    new StandardWebhook(secret, { format: 'raw' }).verify(event?.text ?? '', event?.headers as Record<string, string>)
    receiver.answer = (_event, response) => void response.end()
  })

  test('connects again when the connection breaks, and goes on after the last event', async () => {
    const shop = await service.openShop()
    const listener = listening(shop, '/again')
    await listener.says(/^Forwarding/)
    await aProduct(shop)
    await service.runJobs()
    await listener.says(/product\/create/)
    service.app.server.closeAllConnections()
    await listener.says(/cannot be reached: .*\. Trying again in 1 s\.$/)
    await aProduct(shop)
    await service.runJobs()
    await listener.says(/^Connected again\.$/)
    await until('both events', () => receiver.at('/again').length === 2)
    await listener.stop()
    assert.equal(new Set(receiver.at('/again').map(({ headers }) => headers['webhook-id'])).size, 2)
  })

  test('says what is wrong with the receiver, the service and the token', async () => {
    const shop = await service.openShop()
    const down = listening(shop, 'http://127.0.0.1:9/hook')
    await down.says(/^Forwarding/)
    await aProduct(shop)
    await service.runJobs()
    await down.says(/product\/create \d+ {2}failed {2}\S/)
    await down.stop()
    const away = listening(shop, '/x', { url: 'http://127.0.0.1:9' })
    await away.says(/^http:\/\/127\.0\.0\.1:9 cannot be reached: .*\. Trying again in 1 s\.$/)
    await away.stop()
    await assert.rejects(listening(shop, '/x', { token: 'wrong' }).ended, /refused the token: invalid access_token/)
    const { token } = await shop.withScopes('orders')
    await assert.rejects(listening(shop, '/x', { token }).ended, /needs the scope webhooks/)
    const elsewhere = createServer((_request, response) => response.end('Hello')).listen(0, '127.0.0.1')
    await once(elsewhere, 'listening')
    const url = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}`
    await assert.rejects(listening(shop, '/x', { url }).ended, /is not the address of a Licet/)
    elsewhere.close()
    for (const [wrong, pattern] of [
      [['--forward-to', 'nowhere'], /--forward-to: "nowhere" is not valid/],
      [['--forward-to', 'http://x', '--topics', 'a/b'], /There is no topic a\/b; there are customer\/create/],
      [['--forward-to', 'http://x', '--url', 'http://y'], /needs --token, or LICET_TOKEN/],
      [[], /needs --forward-to <address>/],
    ] as const) {
      const refused = await licet('listen', ...wrong)
      assert.equal(refused.code, 2)
      assert.match(refused.err, pattern)
    }
  })

  test('needs no token where it is installed, shows the secret, and ends with 0', async () => {
    const data = { LICET_DATA: await temporaryFolder() }
    const { url } = await serve(data)
    const listener = start(['listen', '--forward-to', receiver.url('/own')], { ...data, LICET_BASE_URL: url })
    const [, secret = ''] = await listener.says(/signed with the secret (\S+)\n/)
    const made = await run(['trigger', 'order/create'], data)
    assert.match(made.out, /^Test order \d+ of test-customer-\d+@example\.com: order\/create\.\n/)
    await listener.says(/order\/create \d+ {2}200 {2}\d+ ms\n/)
    listener.kill('SIGINT')
    const { code, err } = await listener.ended
    assert.deepEqual([code, err], [0, ''])
    const order = receiver.at('/own').find(({ body }) => body.scope === 'order/create')
    new StandardWebhook(secret, { format: 'raw' }).verify(order?.text ?? '', order?.headers as Record<string, string>)
  })
})
