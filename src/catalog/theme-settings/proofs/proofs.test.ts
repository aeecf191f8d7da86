import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { useDnsServer } from '#test/dns-server.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { findShopByHost } from '../queries.ts'
import { checkDueDomains } from './check.worker.ts'
import { companyIn, nextCheckSeconds, themeSettingIn } from './rules.ts'

const service = useService()
const server = useDnsServer()
const OWN = 'shops.example.com'
const DAY = 86_400

beforeEach(() => {
  service.clock.stop()
  service.app.baseUrl = `https://${OWN}`
})

let counted = 0
const aDomain = () => {
  counted += 1
  return `shop${counted}.example.net`
}

async function aShopWith(domain: string): Promise<{ shop: Shop; id: number; setting: Wire }> {
  const shop = await service.openShop()
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const answer = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { shop_domain: domain } })
  assert.equal(answer.status, 200, answer.text)
  return { shop, id, setting: answer.body.ThemeSetting }
}

const read = async ({ shop, id }: { shop: Shop; id: number }): Promise<Wire> => {
  const fresh = await shop.asUser(shop.userId)
  return (await fresh.get(`/api/themesettings/${id}.json`)).body.ThemeSetting
}

const look = () =>
  checkDueDomains({ db: service.db, dns: server.dns, ownHost: OWN, now: () => nowInSeconds(service.clock) })

const ownerOf = async (domain: string) => (await findShopByHost(service.db, domain, OWN))?.company_id

const publishFor = (companyId: number, domain: string) =>
  server.publish('TXT', `_licet.${domain}`, `licet-company=${companyId}`)

describe('the domain of a shop', () => {
  test('answers once a TXT record names the company, and the shop shows what to add', async () => {
    const domain = aDomain()
    const mine = await aShopWith(domain)
    const { companyId } = mine.shop
    const record = { type: 'TXT', name: `_licet.${domain}`, value: `licet-company=${companyId}` }
    assert.deepEqual(mine.setting.domain_proofs, [{ domain, status: 'waiting', record }])
    assert.equal(mine.setting.shop_domain, domain)
    assert.equal(mine.setting.domain, `${mine.id}.${OWN}`)
    await look()
    assert.equal(await ownerOf(domain), undefined)
    server.publish('TXT', `_licet.${domain}`, 'v=something else')
    publishFor(companyId, domain)
    service.clock.advance(61)
    await look()
    assert.equal(await ownerOf(domain), companyId)
    const after = await read(mine)
    assert.deepEqual(after.domain_proofs, [{ domain, status: 'proved', record }])
    assert.equal(after.domain, domain)
  })

  test('answers once it is a CNAME of the numeric sub-domain of the shop, and not of the service itself', async () => {
    const [domain, bare] = [aDomain(), aDomain()]
    const mine = await aShopWith(domain)
    await aShopWith(bare)
    server.publish('CNAME', domain, `${mine.id}.${OWN}`)
    server.publish('CNAME', bare, OWN)
    await look()
    assert.equal(await ownerOf(domain), mine.shop.companyId)
    assert.equal(await ownerOf(bare), undefined)
  })

  test('goes to the company that proves it, of all that ask for it', async () => {
    const domain = aDomain()
    const thief = await aShopWith(domain)
    const owner = await aShopWith(domain.toUpperCase())
    publishFor(owner.shop.companyId, domain)
    await look()
    assert.equal(await ownerOf(domain), owner.shop.companyId)
    assert.equal((await read(thief)).domain_proofs[0].status, 'waiting')
    const late = await aShopWith(domain)
    await look()
    assert.equal(await ownerOf(domain), owner.shop.companyId)
    assert.equal((await read(late)).domain, `${late.id}.${OWN}`)
  })

  test('stays with the company that has it while its record is there, and changes hands with the record', async () => {
    const domain = aDomain()
    const first = await aShopWith(domain)
    publishFor(first.shop.companyId, domain)
    await look()
    const second = await aShopWith(domain)
    publishFor(second.shop.companyId, domain)
    await look()
    assert.equal(await ownerOf(domain), first.shop.companyId)
    server.withdraw(`_licet.${domain}`)
    publishFor(second.shop.companyId, domain)
    service.clock.advance(DAY)
    await look()
    assert.equal(await ownerOf(domain), second.shop.companyId)
    assert.equal((await read(first)).domain_proofs[0].status, 'waiting')
    assert.equal((await read(second)).domain_proofs[0].status, 'proved')
  })

  test('is looked up once a day when it is proved, and ends a week after its record went missing', async () => {
    const domain = aDomain()
    const mine = await aShopWith(domain)
    publishFor(mine.shop.companyId, domain)
    await look()
    const before = server.asked.length
    service.clock.advance(DAY - 1)
    await look()
    assert.ok(!server.asked.slice(before).some((name) => name.endsWith(domain)), 'it is not due yet')
    server.withdraw(`_licet.${domain}`)
    for (let days = 0; days < 7; days += 1) {
      service.clock.advance(DAY)
      await look()
      assert.equal(await ownerOf(domain), mine.shop.companyId, `day ${days}`)
    }
    service.clock.advance(DAY)
    await look()
    assert.equal(await ownerOf(domain), undefined)
    assert.equal((await read(mine)).domain, `${mine.id}.${OWN}`)
  })

  test('neither begins nor ends to answer because a name server fails', async () => {
    const domain = aDomain()
    const mine = await aShopWith(domain)
    publishFor(mine.shop.companyId, domain)
    await look()
    server.fail(true)
    for (let days = 0; days < 9; days += 1) {
      service.clock.advance(DAY)
      await look()
    }
    server.fail(false)
    assert.equal(await ownerOf(domain), mine.shop.companyId)
  })

  test('keeps its proof when the two domains of a shop are swapped, and loses it when another is entered', async () => {
    const domain = aDomain()
    const mine = await aShopWith(domain)
    publishFor(mine.shop.companyId, domain)
    await look()
    const fresh = await mine.shop.asUser(mine.shop.userId)
    const put = (ThemeSetting: object) => fresh.put(`/api/themesettings/${mine.id}.json`, { ThemeSetting })
    await put({ shop_domain: '', access_domain: domain })
    assert.equal((await findShopByHost(service.db, domain, OWN))?.kind, 'access_domain')
    const { body } = await put({ access_domain: '', shop_domain: `other.${domain}` })
    assert.equal(body.ThemeSetting.domain_proofs[0].status, 'waiting')
    assert.equal(await ownerOf(domain), undefined)
    assert.equal(await ownerOf(`other.${domain}`), undefined)
  })

  test('needs no proof below the host of the service', async () => {
    const shop = await service.openShop()
    const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
    await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { vanity_domain: 'proofless' } })
    assert.equal(await ownerOf(`proofless.${OWN}`), shop.companyId)
    assert.equal(await ownerOf(`${id}.${OWN}`), shop.companyId)
    assert.deepEqual((await read({ shop, id })).domain_proofs, [])
  })
})

describe('the rules of a proof', () => {
  test('read the company and the shop that records name, and nothing else', () => {
    assert.equal(companyIn('licet-company=1000'), 1000)
    for (const text of ['', 'licet-company=', 'licet-company=1000x', 'x licet-company=1000', 'LICET-COMPANY=1000'])
      assert.equal(companyIn(text), undefined, text)
    assert.equal(themeSettingIn('1001.Shops.Example.com.', OWN), 1001)
    for (const target of [OWN, `x.1001.${OWN}`, `1001.x.${OWN}`, '1001.example.com', `1001.${OWN}.evil.example`])
      assert.equal(themeSettingIn(target, OWN), undefined, target)
  })

  test('look often at first, then daily', () => {
    const waits = [1, 10, 11, 20, 21, 44, 45, 1000].map((checks) => nextCheckSeconds(false, checks))
    assert.deepEqual(waits, [60, 60, 600, 600, 3600, 3600, DAY, DAY])
    assert.equal(nextCheckSeconds(true, 0), DAY)
  })
})
