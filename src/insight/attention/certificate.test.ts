import assert from 'node:assert/strict'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { createServer, type Server } from 'node:tls'
import { readCertificateEnd } from '#platform/outbound/certificate.ts'
import { readConfig } from '#platform/settings/config.ts'
import { runChecks } from '#program/command-line/doctor.ts'
import { createAuthority, issue } from '#test/certificate.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aMember } from '#test/people.ts'
import { createCertificateWatch } from './certificate.cache.ts'

const DAY_MS = 86_400_000
const service = useService()
const servers: Server[] = []

/** The address of a server whose certificate ends in so many days. */
async function anAddress(days: number): Promise<string> {
  const until = new Date(service.clock.now().getTime() + days * DAY_MS)
  const from = new Date(until.getTime() - 90 * DAY_MS)
  const server = createServer(issue(createAuthority('Tests'), ['127.0.0.1'], { from, until }))
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `https://127.0.0.1:${(server.address() as AddressInfo).port}`
}

before(() => service.clock.stop())
after(() => {
  for (const server of servers) server.close()
})

describe('the certificate of the address of the service', () => {
  test('is watched: two weeks before its end it needs somebody', async () => {
    const now = service.clock.now()
    for (const [days, count] of [
      [60, 0],
      [15, 0],
      [13, 1],
      [-1, 1],
    ] as const) {
      const address = await anAddress(days)
      const watch = createCertificateWatch()
      assert.equal(watch.find(address, now).count, 0, 'nobody waits for the first look')
      await watch.look(address, now)
      const found = { kind: 'certificate_ending', count, subject: new URL(address).host }
      assert.deepEqual(watch.find(address, now), found, `${days} days`)
    }
  })

  test('is looked at again after an hour, and forgotten with its address', async () => {
    const [old, fresh] = [await anAddress(1), await anAddress(60)]
    const watch = createCertificateWatch()
    const now = service.clock.now()
    await watch.look(old, now)
    assert.equal(watch.find(old, now).count, 1)
    assert.equal(watch.find(fresh, now).count, 0)
    await watch.look(fresh, now)
    assert.equal(watch.find(fresh, now).count, 0)
  })

  test('is none where there is no TLS, no server, or no answer', async () => {
    const plain = new URL(await anAddress(1)).port
    assert.equal(await readCertificateEnd('http://127.0.0.1'), undefined)
    assert.equal(await readCertificateEnd(`http://127.0.0.1:${plain}`), undefined)
    assert.equal(await readCertificateEnd('https://127.0.0.1:1'), undefined)
    assert.equal(await readCertificateEnd(service.url.replace('http:', 'https:')), undefined)
  })

  test('is checked by licet doctor', async () => {
    const finding = async (baseUrl: string) => {
      const env = { PORT: '0', DATABASE_URL: service.database.url, LICET_DATA: '.', LICET_BASE_URL: baseUrl }
      const found = (await runChecks(readConfig(env))).find(({ what }) => what === 'Certificate')
      return found && [found.ok, found.warning ?? false, found.detail.replace(/\d{4}-.*/, 'then')]
    }
    const [good, bad] = [await anAddress(60), await anAddress(3)]
    assert.deepEqual(await finding(good), [true, false, `of ${new URL(good).host}, valid until then`])
    assert.deepEqual(await finding(bad), [false, false, `of ${new URL(bad).host}, valid until then`])
    assert.deepEqual(await finding('https://127.0.0.1:1'), [true, true, "of 127.0.0.1:1 can't be seen from here"])
    assert.equal(await finding('http://localhost:3000'), undefined)
  })

  test('is told to whoever manages the company, and to nobody else', async () => {
    const shop = await service.openShop()
    const member = await aMember(service, shop)
    const app = await shop.asUser(member.id)
    const kindsOf = async ({ get }: Pick<Shop, 'get'>): Promise<string[]> =>
      (await get('/api/attention.json')).body.attention.items.map(({ kind }: { kind: string }) => kind)
    const own = service.app.baseUrl
    service.app.baseUrl = await anAddress(3)
    try {
      while (!(await kindsOf(shop)).includes('certificate_ending')) await new Promise(setImmediate)
      assert.deepEqual(await kindsOf(app), [])
    } finally {
      service.app.baseUrl = own
    }
  })
})
