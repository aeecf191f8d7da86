import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { languageId } from '#identity/languages/languages.facts.ts'
import { type Db, openDatabase } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { LANGUAGES } from '#platform/text/messages.ts'
import { upgrade } from '#program/boot/store.ts'
import { aLicense, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { createDatabase } from '#test/server.ts'
import { addStarterLicenses } from './commands.ts'
import { LICENSE_VALUES } from './schema.ts'
import { STARTER_LICENSES } from './starter.facts.ts'

const service = useService()

/** A license that was created with nothing but a name. */
const PLAIN = {
  assignment: 2,
  type: 0,
  valid: 1,
  drm: 1,
  allow_play: 1,
  burn_play: 0,
  total_downloads: -1,
  annual_downloads: -1,
  total_export: 0,
  annual_export: 0,
  total_concurrent_devices: -1,
  annual_concurrent_devices: -1,
  copp_aps: 0,
  copp_cgms: 0,
  copp_hdcp: 0,
  copy_prot_level_analog: 0,
  copy_prot_level_digital: 0,
  play_prot_level_analog: 0,
  play_prot_level_digital: 0,
  delete_on_clock_rollback: 0,
  disable_on_clock_rollback: 0,
  expiration_date: null,
  expire_after_acquisition: 0,
  expire_after_acquisition_mode: 0,
  expire_after_first_use: 0,
  expire_after_first_use_mode: 0,
  export_epub: 0,
  export_mp3: 0,
  export_pdf_print: null,
  physical: 0,
  physical_weight: 0,
  physical_weight_type: 0,
  tax_handling: 0,
  locales: [],
  restriction_country: [],
  restriction_dvd_region: [],
  restriction_video_norm: null,
  stamp: 1,
}

const FULL = {
  name: 'Everything 🎬',
  type: 3,
  drm: 0,
  allow_play: 0,
  burn_play: 3,
  total_downloads: 7,
  annual_downloads: 5,
  total_export: 4,
  annual_export: 2,
  total_concurrent_devices: 6,
  annual_concurrent_devices: 1,
  copp_aps: 1,
  copp_cgms: 1,
  copp_hdcp: 1,
  copy_prot_level_analog: 500,
  copy_prot_level_digital: 110,
  play_prot_level_analog: 300,
  play_prot_level_digital: 150,
  delete_on_clock_rollback: 1,
  disable_on_clock_rollback: 1,
  expiration_date: '2031-02-03T04:05:06',
  expire_after_acquisition: 12,
  expire_after_acquisition_mode: 2,
  expire_after_first_use: 48,
  expire_after_first_use_mode: 1,
  export_epub: 1,
  export_mp3: 1,
  export_pdf_print: 0,
  physical: 1,
  physical_weight: 120.5,
  physical_weight_type: 1,
  tax_handling: 1,
  stamp: 0,
}

const withoutId = ({ id: _id, ...rest }: Wire) => rest
const paths = (id: number | string) => `/api/licenses/${id}.json`

describe('GET /api/licenses/{token}.json', () => {
  test('answers every field of a license of which only the name was said', async () => {
    const shop = await service.openShop()
    const { id } = await aLicense(service, shop, { name: 'Plain' })
    const { status, body } = await shop.get(paths(id))
    assert.equal(status, 200)
    const { created_at, ...license } = body.license
    assert.match(created_at, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/)
    const whose = { company_id: shop.companyId, created_by_user_id: shop.userId }
    assert.deepEqual(license, { id, name: 'Plain', ...whose, ...PLAIN })
  })

  test('answers every field that a license was made with', async () => {
    const shop = await service.openShop()
    const sent = {
      ...FULL,
      locales: [
        { language_id: 2, name: 'Alles', description: '<p>Für &amp; wider</p>' },
        { language_id: 12, name: 'Tout' },
      ],
      restriction_country: [{ country_id: 'DE' }, { country_id: 'at' }],
      restriction_dvd_region: [{ dvd_region: 2 }, { dvd_region: 4 }],
      restriction_video_norm: { norm: 0 },
    }
    const { id } = await aLicense(service, shop, sent)
    const { license } = (await shop.get(paths(id))).body
    for (const [name, value] of Object.entries(FULL)) assert.deepEqual(license[name], value, name)
    assert.deepEqual(license.locales.map(withoutId), [
      { language_id: 2, name: 'Alles', description: '<p>Für &amp; wider</p>' },
      { language_id: 12, name: 'Tout', description: '' },
    ])
    assert.deepEqual(license.restriction_country.map(withoutId), [{ country_id: 'DE' }, { country_id: 'AT' }])
    assert.deepEqual(license.restriction_dvd_region.map(withoutId), [{ dvd_region: 2 }, { dvd_region: 4 }])
    assert.deepEqual(withoutId(license.restriction_video_norm), { norm: 0 })
    const parts = [...license.locales, ...license.restriction_country, ...license.restriction_dvd_region]
    const ids = [...parts, license.restriction_video_norm].map((part) => part.id)
    assert.equal(new Set(ids).size, 7)
    assert.ok(ids.every((part) => Number.isInteger(part) && part > 0))
  })

  test('answers a general license, which is of no company', async () => {
    const shop = await service.openShop()
    const { license } = (await shop.get(paths(1))).body
    assert.deepEqual(
      [license.id, license.name, license.company_id, license.assignment, license.created_by_user_id],
      [1, 'Buy', 0, 1, 0],
    )
  })

  test('answers 404 for what is no license of the shop', async () => {
    const shop = await service.openShop()
    const foreign = await aLicense(service, await service.openShop())
    for (const ref of [foreign.id, 0, 999, 999_999_999, '9'.repeat(16), -1, '1.5', 'abc', '%00']) {
      const { status, body } = await shop.get(paths(ref))
      assert.deepEqual([status, body.code], [404, 'not_found'], String(ref))
    }
  })

  test('answers 304 to who has it, and single fields to who asks for them', async () => {
    const shop = await service.openShop()
    const first = await shop.get(paths(3))
    const again = await shop.get(paths(3), undefined, { 'if-none-match': first.headers.get('etag') ?? '' })
    assert.equal(again.status, 304)
    assert.deepEqual((await shop.get(`${paths(3)}?fields=id,valid,nosuch`)).body, { license: { id: 3, valid: 1 } })
  })
})

describe('GET /api/licenses.json', () => {
  const general = [...STARTER_LICENSES.keys()]
  const idsOf = async (shop: { get: (path: string) => Promise<{ body: Wire }> }, query = '') =>
    (await shop.get(`/api/licenses.json${query}`)).body.licenses.map(({ id }: Wire) => id)

  test('answers the general licenses and those of the shop, and count.json counts them', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const own: number[] = []
    for (let index = 0; index < 4; index += 1) {
      own.push((await aLicense(service, shop)).id)
      await aLicense(service, stranger)
    }
    assert.deepEqual(await idsOf(shop), [...general, ...own])
    const count = async (query = '') => (await shop.get(`/api/licenses/count.json${query}`)).body
    assert.deepEqual(await count(), { count: general.length + 4 })
    assert.deepEqual(await idsOf(shop, '?since_id=11'), [12, ...own])
    assert.deepEqual(await count('?since_id=11'), { count: 5 })
    assert.deepEqual(await idsOf(shop, `?since_id=${own[1]}`), own.slice(2))
    assert.deepEqual(await count(`?since_id=${own[1]}`), { count: 2 })
    const { count: theirs } = (await (await service.openShop()).get('/api/licenses/count.json')).body
    assert.equal(theirs, general.length)
  })

  // Two selects are merged for a page: a page may end in one and go on in the other.
  test('answers pages of any size without a gap, by key and by number', async () => {
    const shop = await service.openShop()
    for (let index = 0; index < 9; index += 1) await aLicense(service, shop)
    const all = (await shop.get('/api/licenses.json')).body.licenses
    for (const limit of [1, 2, 5, general.length, general.length + 1, 20, 21, 250]) {
      const byKey: Wire[] = []
      const byNumber: Wire[] = []
      let path: string | undefined = `/api/licenses.json?limit=${limit}`
      for (let page = 1; path !== undefined; page += 1) {
        const { body, headers } = await shop.get(path)
        byKey.push(...body.licenses)
        byNumber.push(...(await shop.get(`/api/licenses.json?limit=${limit}&page=${page}`)).body.licenses)
        path = /<([^>]+)>/.exec(headers.get('link') ?? '')?.[1]?.slice(service.url.length)
      }
      assert.deepEqual(byKey, all, `by key, ${limit}`)
      assert.deepEqual(byNumber, all, `by number, ${limit}`)
    }
    assert.deepEqual((await shop.get('/api/licenses.json?limit=5&page=99')).body, { licenses: [] })
  })

  test('answers a list that is longer than a batch, streamed', async () => {
    const shop = await service.openShop()
    for (let index = 0; index < 12; index += 1)
      await Promise.all(Array.from({ length: 10 }, () => aLicense(service, shop)))
    const ids = await idsOf(shop)
    assert.equal(ids.length, general.length + 120)
    assert.deepEqual(
      ids,
      ids.toSorted((a: number, b: number) => a - b),
    )
  })

  test('is all there is: licenses are not made, changed or deleted through the interface', async () => {
    const shop = await service.openShop()
    const { id } = await aLicense(service, shop)
    const before = (await shop.get('/api/licenses.json')).text
    assert.equal((await shop.post('/api/licenses.json', { license: { name: 'Other' } })).status, 405)
    for (const ref of [id, 1]) {
      assert.equal((await shop.put(paths(ref), { license: { name: 'Other' } })).status, 405)
      assert.equal((await shop.delete(paths(ref))).status, 405)
    }
    assert.equal((await shop.get('/api/licenses.json')).text, before)
  })
})

describe('the licenses that come with the service', () => {
  test('are what a shop needs on its first day, in two languages', async () => {
    const { licenses } = (await (await service.openShop()).get('/api/licenses.json')).body
    const of = (name: string) => licenses.find((license: Wire) => license.name === name)
    assert.deepEqual(of('Rent for 24 hours').expire_after_first_use, 24)
    assert.deepEqual(
      [of('Rent for 48 hours').expire_after_first_use, of('Rent for 48 hours').expire_after_first_use_mode],
      [48, 0],
    )
    assert.deepEqual([of('30 days').expire_after_acquisition, of('30 days').expire_after_acquisition_mode], [30, 1])
    assert.deepEqual([of('Loan').expire_after_acquisition, of('Loan').total_concurrent_devices], [14, 1])
    assert.deepEqual([of('Download to own').drm, of('Download to own').export_mp3], [0, 1])
    assert.deepEqual([of('E-book').export_pdf_print, of('E-book').burn_play], [0, 0])
    assert.deepEqual([of('E-book with printing').export_pdf_print, of('E-book with printing').burn_play], [1, 10])
    assert.deepEqual([of('Software, one device').type, of('Software, three devices').total_concurrent_devices], [1, 3])
    assert.deepEqual([of('Physical with content').type, of('Physical with content').physical], [3, 1])
    assert.deepEqual([of('Physical with software').type, of('Physical with software').physical], [2, 1])
    assert.deepEqual(of('Buy').expire_after_acquisition + of('Buy').expire_after_first_use, 0)
    for (const license of licenses) {
      assert.deepEqual(
        license.locales.map(({ language_id }: Wire) => language_id),
        LANGUAGES.map(languageId),
      )
      const texts = license.locales.flatMap(({ name, description }: Wire) => [name, description])
      assert.ok(
        texts.every((text: string) => text !== '' && !text.startsWith('rights.')),
        texts.join(', '),
      )
      for (const [name, values] of Object.entries(LICENSE_VALUES))
        assert.ok(license[name] === null || (values as readonly number[]).includes(license[name]), name)
    }
  })

  const inNewDatabase = async (work: (db: Db) => Promise<void>) => {
    const database = await createDatabase('empty')
    const handle = openDatabase(database.connection, { poolMax: 8 })
    try {
      await upgrade(handle.db)
      await work(handle.db)
    } finally {
      await handle.close()
      await database.drop()
    }
  }
  const all = (db: Db) => db.selectFrom('licenses').selectAll().orderBy('id').execute()
  const addAtOnce = (db: Db) =>
    Promise.all(
      Array.from({ length: 6 }, () => inTransaction(db, (tx) => addStarterLicenses(tx, new Date('2030-01-01')))),
    )

  test('are added once, by however many that start at once, and those that were changed stay so', () =>
    inNewDatabase(async (db) => {
      const fresh = await all(db)
      assert.equal(fresh.length, STARTER_LICENSES.size)
      assert.ok(fresh.every(({ company_id, id }) => company_id === 0 && id < 1000))
      await upgrade(db)
      assert.deepEqual(await all(db), fresh)
      await db.updateTable('licenses').set({ valid: 0, name: 'Changed' }).where('id', '=', 3).execute()
      await db.deleteFrom('licenses').where('id', 'in', [1, 12]).execute()
      await addAtOnce(db)
      assert.deepEqual(
        (await all(db)).map(({ id, valid, name }) => [id, valid, name]),
        fresh.map(({ id, name }) => (id === 3 ? [3, 0, 'Changed'] : [id, 1, name])),
      )
    }))

  test('of an older service get the languages that they lack, once, and keep the texts that they have', () =>
    inNewDatabase(async (db) => {
      const textsOf = (license: Wire) => license.locales.map(({ id: _id, ...texts }: Wire) => texts)
      const fresh = await all(db)
      const old = JSON.stringify([{ id: 7, language: 'en', name: 'Rented', description: 'For a day.' }])
      await db.updateTable('licenses').set({ locales: old }).where('id', '=', 2).execute()
      await addAtOnce(db)
      const after = await all(db)
      assert.deepEqual(
        after.filter(({ id }) => id !== 2),
        fresh.filter(({ id }) => id !== 2),
      )
      const [before, translated] = [fresh[1], after[1]] as [Wire, Wire]
      const [english, ...others] = textsOf(translated)
      assert.deepEqual(english, { language: 'en', name: 'Rented', description: 'For a day.' })
      assert.deepEqual(others, textsOf(before).slice(1))
      assert.equal(new Set(translated.locales.map(({ id }: Wire) => id)).size, LANGUAGES.length)
      assert.equal(JSON.parse(translated.document).locales.length, LANGUAGES.length)
    }))
})
