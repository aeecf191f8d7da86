import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aLicense } from '#test/factories.ts'
import { useService } from '#test/harness.ts'

const service = useService()
const PATH = '/api/license_terms.json'

describe('GET /api/license_terms.json', () => {
  test('says the terms of the general licenses and of those of the company', async () => {
    const shop = await service.openShop()
    const own = await aLicense(service, shop, { total_downloads: 3 })
    await aLicense(service, await service.openShop())
    const { license_terms } = (await shop.get('/api/license_terms.json?language=de')).body
    assert.equal(license_terms.at(-1).id, own.id)
    assert.match(license_terms.at(-1).text, /3 Downloads/)
    assert.equal(license_terms.filter(({ id }: { id: number }) => id >= 1000).length, 1)
    assert.ok(license_terms.length > 10)
  })
})

describe('POST /api/license_terms.json', () => {
  test('says in the language of the reader what the shop says', async () => {
    const shop = await service.openShop()
    const license = { expire_after_first_use: 48, total_concurrent_devices: 2, total_downloads: 0 }
    const { status, body } = await shop.post(PATH, { license })
    assert.equal(status, 200)
    assert.equal(body.license_terms.text, body.license_terms.sentences.join(' '))
    assert.match(body.license_terms.text, /48 hours/)
    assert.match(body.license_terms.text, /2 devices/)
    const german = await shop.post(PATH, { license, language: 'de' })
    assert.match(german.body.license_terms.text, /48 Stunden/)
    const endless = await shop.post(PATH, { license: {}, language: 'xx' })
    assert.equal(endless.status, 200)
    assert.equal(endless.body.license_terms.sentences.length, 1)
  })

  test('takes a license as it was read', async () => {
    const shop = await service.openShop()
    const { licenses } = (await shop.get('/api/licenses.json')).body
    assert.ok(licenses.length > 0)
    for (const license of licenses) assert.equal((await shop.post(PATH, { license })).status, 200)
  })

  test('refuses terms that no license can have, and stores nothing', async () => {
    const shop = await service.openShop()
    const { count } = (await shop.get('/api/licenses/count.json')).body
    for (const license of [{ total_downloads: -2 }, { expire_after_first_use: 60_000 }, { drm: 'x' }])
      assert.equal((await shop.post(PATH, { license })).status, 422, JSON.stringify(license))
    for (const body of [{}, { license: null }, { license: [] }]) {
      const { status } = await shop.post(PATH, body)
      assert.ok(status === 400 || status === 422, JSON.stringify(body))
    }
    await shop.post(PATH, { license: { name: 'Rent' } })
    assert.equal((await shop.get('/api/licenses/count.json')).body.count, count)
  })
})
