import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aProduct } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useReceiver } from '#test/receiver.ts'
import { aWebhook } from '#test/webhooks.ts'
import { temporaryFolder } from './program.ts'
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
    assert.match(list.out, new RegExp(`^ *${id} +${shop.appId} +product/create +${address} +failing +1$`, 'm'))
    assert.match((await licet('webhooks', 'list', '--topic', 'orders/create', ...of(shop))).out, /no webhooks/)
    const show = await licet('webhooks', 'show', String(id), ...of(shop))
    assert.match(show.out, new RegExp(`^Webhook ${id}, product/create to ${address}: failing\\.\nFailing since .*\n`))
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
