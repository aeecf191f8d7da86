import assert from 'node:assert/strict'
import { test } from 'node:test'
import { proveDomains } from '#test/domains.ts'
import { aThemeSetting } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

const service = useService()
const folder = temporaryFolder()

/** Runs a command in the database of the service. */
async function licet(...args: string[]) {
  return run(args, { PORT: '0', LICET_DATA: await folder, DATABASE_URL: service.database.url })
}

test('domains lists the domains of shops, whether they are proved, and what proves them', async () => {
  assert.equal((await licet('domains')).out, 'No shop has a domain of its own.\n')
  const shop = await service.openShop()
  const { companyId } = shop
  const { id } = await aThemeSetting(shop, { shop_domain: 'a.example.com', access_domain: 'b.example.com' })
  await proveDomains(service, shop, 'b.example.com')
  await aThemeSetting(await service.openShop(), { shop_domain: 'a.example.com' })
  const all = await licet('domains')
  assert.equal(all.out.trimEnd().split('\n').length, 1 + 3)
  const own = await licet('domains', '--company', String(companyId))
  assert.equal(
    own.out,
    [
      'Domain         Company  Status   DNS record',
      `a.example.com     ${companyId}  waiting  _licet.a.example.com TXT "licet-company=${companyId}"`,
      `b.example.com     ${companyId}  proved   _licet.b.example.com TXT "licet-company=${companyId}"`,
      '',
    ].join('\n'),
  )
  const { domains } = JSON.parse((await licet('domains', '--company', String(companyId), '--json')).out)
  assert.deepEqual(
    domains.map((each: Record<string, unknown>) => [each.domain, each.theme_setting_id, each.status]),
    [
      ['a.example.com', id, 'waiting'],
      ['b.example.com', id, 'proved'],
    ],
  )
})
