import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { nowInSeconds } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Problem } from '#platform/errors/problem.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { rebuild } from '#program/rebuild.ts'
import { aLicense, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { createLicense, invalidateLicense, updateLicense } from './commands.ts'
import { presentLicense } from './present.ts'
import { readLicenses } from './queries.ts'
import { GENERAL } from './rules.ts'
import { LICENSE_COUNTS, LICENSE_PERIODS, LICENSE_VALUES, type LicenseInput } from './schema.ts'

const service = useService()
const now = () => nowInSeconds(service.clock)
const write = async (work: (tx: Tx) => Promise<Written<unknown>>): Promise<Wire> =>
  JSON.parse((await inTransaction(service.db, work)).document)
const make = (shop: Shop, input: object) => write((tx) => createLicense(tx, shop, input as LicenseInput, now()))
const change = (shop: Shop, id: number | string, input: object) =>
  write((tx) => updateLicense(tx, shop, String(id), input as LicenseInput, now()))
const read = async (shop: Shop, id: number) => (await shop.get(`/api/licenses/${id}.json`)).body.license

/** Asserts that it is refused with 422 and blames exactly these attributes. */
async function assertRefused(work: () => Promise<unknown>, paths: string[]): Promise<void> {
  await assert.rejects(work, (error: Problem) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.status, error.code], [422, 'validation_failed'])
    assert.deepEqual(Object.keys(error.fields ?? {}).sort(), [...paths].sort())
    return true
  })
}

async function assertPresentedFresh(shop: Shop, id: number): Promise<void> {
  const [license] = await readLicenses(service.db, shop.companyId, [id])
  const { document } = await service.db
    .selectFrom('licenses')
    .select('document')
    .where('company_id', '=', shop.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.equal(document, asciiJson(presentLicense(license!)))
  assert.deepEqual(await read(shop, id), JSON.parse(document))
}

/** A type that goes with the value: `physical` follows it. */
const beside = (name: string, value: number) => (name === 'physical' ? { type: value === 1 ? 3 : 0 } : {})

describe('the integers of a license', () => {
  for (const [name, values] of Object.entries(LICENSE_VALUES)) {
    test(`${name} is one of ${values.join(', ')} and nothing else`, async () => {
      const shop = await service.openShop()
      const { id } = await make(shop, { name: 'License' })
      for (const value of values) {
        const sent = { [name]: value, ...beside(name, value) }
        assert.equal((await make(shop, { name: 'License', ...sent }))[name], value)
        assert.equal((await change(shop, id, sent))[name], value)
      }
      const before = await read(shop, id)
      for (const value of [-1, 4, 50, 99, 101, 600, 0.5, Number.NaN]) {
        await assertRefused(() => make(shop, { name: 'License', [name]: value }), [name])
        await assertRefused(() => change(shop, id, { [name]: value }), [name])
      }
      assert.deepEqual(await read(shop, id), before)
    })
  }

  test('count from none to without limit', async () => {
    const shop = await service.openShop()
    for (const name of LICENSE_COUNTS) {
      for (const value of [-1, 0, 1, 2_147_483_647])
        assert.equal((await make(shop, { name: 'License', [name]: value }))[name], value)
      for (const value of [-2, 1.5, 2_147_483_648, Number.NaN, Number.POSITIVE_INFINITY])
        await assertRefused(() => make(shop, { name: 'License', [name]: value }), [name])
    }
  })

  test('last from no end to thousands of years', async () => {
    const shop = await service.openShop()
    for (const name of LICENSE_PERIODS) {
      for (const value of [0, 1, 50_000])
        assert.equal((await make(shop, { name: 'License', [name]: value }))[name], value)
      for (const value of [-1, 1.5, 50_001])
        await assertRefused(() => make(shop, { name: 'License', [name]: value }), [name])
    }
  })

  test('say that something is shipped exactly where the type does', async () => {
    const shop = await service.openShop()
    const { id, physical } = await make(shop, { name: 'License', type: 3 })
    assert.equal(physical, 1)
    assert.equal((await change(shop, id, { type: 0 })).physical, 0)
    assert.equal((await change(shop, id, { type: 2, physical: 1 })).physical, 1)
    await assertRefused(() => change(shop, id, { physical: 0 }), ['physical'])
    await assertRefused(() => make(shop, { name: 'License', type: 1, physical: 1 }), ['physical'])
  })
})

describe('a license', () => {
  const WRONG: [string, object][] = [
    ['name', { name: '' }],
    ['name', { name: ' ' }],
    ['name', { name: 'a\ud800' }],
    ['expiration_date', { expiration_date: 'soon' }],
    ['expiration_date', { expiration_date: '2026-02-30' }],
    ['physical_weight', { physical_weight: -1 }],
    ['physical_weight', { physical_weight: Number.NaN }],
    ['physical_weight', { physical_weight: 1e10 }],
    ['locales[0].language_id', { locales: [{ name: 'No language' }] }],
    ['locales[0].language_id', { locales: [{ language_id: 9999, name: 'No language' }] }],
    ['locales[1].description', { locales: [{ language_id: 1 }, { language_id: 2, description: '\0' }] }],
    ['restriction_country[0].country_id', { restriction_country: [{ country_id: 'XX' }] }],
    ['restriction_country[1].country_id', { restriction_country: [{ country_id: 'DE' }, { country_id: 'de' }] }],
    ['restriction_dvd_region[0].dvd_region', { restriction_dvd_region: [{ dvd_region: 0 }] }],
    ['restriction_dvd_region[0].dvd_region', { restriction_dvd_region: [{ dvd_region: 7 }] }],
    ['restriction_dvd_region[1].dvd_region', { restriction_dvd_region: [{ dvd_region: 2 }, { dvd_region: 2 }] }],
    ['restriction_video_norm.norm', { restriction_video_norm: { norm: 2 } }],
  ]
  for (const [index, [path, wrong]] of WRONG.entries()) {
    test(`is refused for its ${path} (case ${index + 1}), when made and when changed`, async () => {
      const shop = await service.openShop()
      const license = await make(shop, { name: 'License' })
      await assertRefused(() => make(shop, { name: 'License', ...wrong }), [path])
      await assertRefused(() => change(shop, license.id, wrong), [path])
      assert.deepEqual(await read(shop, license.id), license)
      assert.equal((await shop.get('/api/licenses/count.json')).body.count, 13)
    })
  }

  test('gets all faults at once', async () => {
    const shop = await service.openShop()
    const wrong = { type: 9, drm: 2, burn_play: -5, restriction_country: [{ country_id: 'XX' }] }
    await assertRefused(
      () => make(shop, wrong),
      ['name', 'type', 'drm', 'burn_play', 'restriction_country[0].country_id'],
    )
  })

  test('changes by what is named, and keeps the ids of what stays', async () => {
    const shop = await service.openShop()
    const made = await make(shop, {
      name: 'Film club',
      drm: 0,
      expiration_date: '2031-01-01T00:00:00+01:00',
      locales: [
        { language_id: 1, name: 'Film club', description: 'For members.' },
        { language_id: 2, name: 'Filmklub' },
      ],
      restriction_country: [{ country_id: 'DE' }, { country_id: 'AT' }],
      restriction_video_norm: { norm: 1 },
    })
    assert.equal(made.expiration_date, '2030-12-31T23:00:00')
    assert.deepEqual(await change(shop, made.id, {}), made)
    assert.deepEqual(await change(shop, made.id, made), made)
    const after = await change(shop, made.id, {
      expiration_date: null,
      locales: [
        { language_id: 1, description: 'For all.' },
        { id: made.locales[1].id, _destroy: true },
      ],
      restriction_country: [{ country_id: 'CH' }, { country_id: 'DE' }],
      restriction_video_norm: null,
    })
    assert.deepEqual(after.locales, [{ ...made.locales[0], description: 'For all.' }])
    assert.deepEqual(
      after.restriction_country.map(({ country_id }: Wire) => country_id),
      ['CH', 'DE'],
    )
    assert.equal(after.restriction_country[1].id, made.restriction_country[0].id)
    assert.deepEqual([after.drm, after.expiration_date, after.restriction_video_norm], [0, null, null])
    assert.equal(after.name, 'Film club')
  })

  test('stays when it is taken out of use, still counts, and can be taken back into use', async () => {
    const shop = await service.openShop()
    const license = await aLicense(service, shop)
    const gone = await write((tx) => invalidateLicense(tx, shop, String(license.id), now()))
    assert.deepEqual(gone, { ...license, valid: 0 })
    assert.deepEqual(await read(shop, license.id), gone)
    assert.equal((await shop.get('/api/licenses/count.json')).body.count, 13)
    assert.deepEqual(await change(shop, license.id, { valid: 1 }), license)
  })

  test('of another company is none, and a general one is not for one shop to change', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const license = await aLicense(service, shop)
    for (const work of [
      () => change(stranger, license.id, { name: 'Stolen' }),
      () => write((tx) => invalidateLicense(tx, stranger, String(license.id), now())),
      () => change(shop, 'abc', { name: 'None' }),
      () => change(shop, 999, { name: 'None' }),
    ])
      await assert.rejects(work, { status: 404, code: 'not_found' })
    const general = await read(shop, 1)
    for (const work of [
      () => change(shop, 1, { name: 'Mine' }),
      () => write((tx) => invalidateLicense(tx, shop, '1', now())),
    ])
      await assert.rejects(work, { status: 403, code: 'forbidden' })
    assert.deepEqual(await read(shop, 1), general)
    assert.deepEqual(await read(shop, license.id), license)
  })

  test('that is general can be changed by who runs the service, and every shop sees it', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const before = await read(shop, 12)
    await write((tx) => invalidateLicense(tx, { companyId: GENERAL }, '12', now()))
    assert.deepEqual(await read(other, 12), { ...before, valid: 0 })
    await write((tx) => updateLicense(tx, { companyId: GENERAL }, '12', { valid: 1 }, now()))
    assert.deepEqual(await read(other, 12), before)
  })

  test('loses no change of several at once', async () => {
    const shop = await service.openShop()
    const { id } = await aLicense(service, shop)
    await Promise.all([
      change(shop, id, { name: 'New' }),
      change(shop, id, { type: 2 }),
      change(shop, id, { locales: [{ language_id: 1, name: 'English' }] }),
      change(shop, id, { locales: [{ language_id: 2, name: 'Deutsch' }] }),
      write((tx) => invalidateLicense(tx, shop, String(id), now())),
    ])
    const { name, type, physical, valid, locales } = await read(shop, id)
    assert.deepEqual([name, type, physical, valid, locales.length], ['New', 2, 1, 0, 2])
    await assertPresentedFresh(shop, id)
  })
})

describe('the stored document of a license', () => {
  const text = fc
    .oneof(fc.constantFrom('Füm 🎬', '"\\', '<b>'), fc.string({ minLength: 1, maxLength: 30, unit: 'grapheme' }))
    .filter((value) => value.trim() !== '' && !value.includes('\0') && value.isWellFormed())
  const numbers = Object.fromEntries(
    Object.entries(LICENSE_VALUES)
      .filter(([name]) => name !== 'physical')
      .map(([name, values]) => [name, fc.constantFrom(...values)]),
  )
  const body = fc.record(
    {
      ...numbers,
      ...Object.fromEntries(LICENSE_COUNTS.map((name) => [name, fc.integer({ min: -1, max: 2_147_483_647 })])),
      ...Object.fromEntries(LICENSE_PERIODS.map((name) => [name, fc.nat(50_000)])),
      export_pdf_print: fc.constantFrom(null, 0, 1),
      physical_weight: fc.double({ min: 0, max: 1e9, noNaN: true }).map((weight) => Math.abs(weight)),
      expiration_date: fc.constantFrom(null, '2031-01-01T12:00:00+02:00', '2029-06-10'),
      name: text,
      locales: fc.uniqueArray(
        fc.record({ language_id: fc.constantFrom(1, 2, 12, 57), name: text, description: text }),
        {
          selector: ({ language_id }) => language_id,
        },
      ),
      restriction_country: fc.uniqueArray(fc.record({ country_id: fc.constantFrom('DE', 'AT', 'us') }), {
        selector: ({ country_id }) => country_id,
      }),
      restriction_dvd_region: fc.uniqueArray(fc.record({ dvd_region: fc.integer({ min: 1, max: 6 }) }), {
        selector: ({ dvd_region }) => dvd_region,
      }),
      restriction_video_norm: fc.option(fc.record({ norm: fc.constantFrom(0, 1) })),
    },
    { requiredKeys: [] },
  )

  // Reads send only the document: if it differed from the row, a sale and a read would disagree.
  test('is what the presenter makes of the row, after any sequence of changes', async () => {
    const shop = await service.openShop()
    await fc.assert(
      fc.asyncProperty(text, body, fc.array(body, { maxLength: 3 }), async (name, first, rest) => {
        const { id } = await make(shop, { ...first, name })
        await assertPresentedFresh(shop, id)
        for (const input of rest) {
          const after = await change(shop, id, input)
          assert.deepEqual(await read(shop, id), after)
          await assertPresentedFresh(shop, id)
          assert.deepEqual(await change(shop, id, after), after)
        }
      }),
      { numRuns: 15 },
    )
  })

  test('is repaired by a rebuild, of general licenses too, and so is the counter', async () => {
    const shop = await service.openShop()
    await aLicense(service, shop)
    const before = (await shop.get('/api/licenses.json')).text
    await service.db.updateTable('licenses').set({ document: '{}' }).execute()
    await service.db.updateTable('counters').set({ amount: 77 }).where('company_id', '=', shop.companyId).execute()
    service.clock.advance(5)
    assert.ok(Number((await rebuild(service.db)).licenses) > 12)
    assert.equal((await shop.get('/api/licenses.json')).text, before)
    assert.equal((await shop.get('/api/licenses/count.json')).body.count, 13)
  })
})
