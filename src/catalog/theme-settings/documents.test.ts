import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { sql } from 'kysely'
import { type Db, openDatabase } from '#platform/db/database.ts'
import { migrate } from '#platform/db/migrations/migrate.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { plainWords } from '#platform/text/rich-text.ts'
import { OWN_HOST } from '#platform/wire/own-address.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { upgrade } from '#program/boot/store.ts'
import { openCompany } from '#program/first-run/open-company.ts'
import { rebuild } from '#program/rebuild.ts'
import { aProduct, aThemeSetting, readThemeSetting, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { createDatabase } from '#test/server.ts'
import { presentThemeSetting } from './present.ts'
import { countThemeSettings, findShopByHost, getThemeSettingDocument, readThemeSettings } from './queries.ts'

const service = useService()
const OPENED = new Date('2026-01-02T03:04:05Z')

async function namesOfWritten(texts: Record<string, string>): Promise<string[]> {
  const words = await Promise.all(Object.values(texts).map(plainWords))
  return Object.keys(texts).filter((_name, index) => words[index] !== '')
}

async function assertPresentedFresh(db: Db, companyId: number, id: number): Promise<string> {
  const [setting] = await readThemeSettings(db, companyId, [id])
  assert.ok(setting)
  const document = await getThemeSettingDocument(db, companyId, String(id))
  assert.equal(document, asciiJson(presentThemeSetting(setting)))
  const { page_locales } = await db
    .selectFrom('theme_settings')
    .select('page_locales')
    .where('company_id', '=', companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const shown = setting.locales.map(
    async ({ shop_description, offline_message, about, imprint, terms, withdrawal, privacy, ...locale }) => ({
      ...locale,
      shop_description: await plainWords(shop_description),
      offline_message: await plainWords(offline_message),
      written: await namesOfWritten({ about, imprint, terms, withdrawal, privacy }),
    }),
  )
  assert.deepEqual(page_locales, await Promise.all(shown))
  return document
}

async function firstOf(shop: Shop): Promise<Wire> {
  return (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
}

const text = fc
  .oneof(
    fc.constantFrom('', 'Füm 🎬', '<p>Füm</p><b>&amp;', 'two\nlines', '"\\', OWN_HOST.slice(0, 8)),
    fc.string({ maxLength: 12, unit: 'grapheme' }),
  )
  .filter((value) => !value.includes('\0') && value.isWellFormed())
const address = fc.constantFrom('', 'https://example.com/ü', 'http://example.com/?a=b')
const domain = fc.constantFrom('', 'a.property.example', 'b.property.example', 'c.property.example')
const reference = fc.constantFrom(null, 5)
const locale = fc.record(
  {
    /** Which of the locales that are there the entry names. */
    place: fc.nat(2),
    language_id: fc.constantFrom<string | number>('en', 'de', 'FR', 1, 12),
    shop_name: text,
    shop_description: text,
    offline_message: text,
    seo_title: text,
    seo_description: text,
    seo_keywords: text,
    about: text,
    imprint: text,
    terms: text,
    withdrawal: text,
    privacy: text,
    _destroy: fc.boolean(),
  },
  { requiredKeys: ['language_id'] },
)

const body = fc.record(
  {
    vanity_domain: fc.constantFrom('', 'property-a', 'property-b'),
    shop_domain: domain,
    access_domain: domain,
    homepage_url: address,
    facebook_url: address,
    google_url: address,
    twitter_url: address,
    youtube_url: address,
    shop_icon: address,
    affiliates_enabled: fc.boolean(),
    affiliate_percentage: fc.double({ min: 0, max: 100, noNaN: true }),
    allow_reviews: fc.boolean(),
    allow_anonymous_reviews: fc.boolean(),
    need_approval_of_reviews: fc.boolean(),
    send_email_on_new_review: fc.boolean(),
    newsletter_enabled: fc.boolean(),
    google_tracking_id: text,
    google_ecommerce_enabled: fc.boolean(),
    google_shopping_account_id: text,
    html_tag: text,
    meta_tag: text,
    sample_product_id: reference,
    sample_product_license_id: reference,
    shop_offline: fc.boolean(),
    frame_origins: fc.constantFrom([], ['https://a.example'], ['https://b.example:8443', 'http://localhost:3000']),
    cart_reminder_hours: fc.constantFrom(null, 1, 24, 168),
    player_watermark: fc.boolean(),
    home_sections: fc.constantFrom(
      null,
      [],
      [
        { kind: 'hero', hidden: false, category_id: null, product_ids: [], locales: [] },
        {
          kind: 'newest',
          hidden: true,
          category_id: null,
          product_ids: [],
          locales: [{ language_id: 'de', title: 'Neu – ⛴' }],
        },
      ],
    ),
    menu: fc.constantFrom(
      null,
      [],
      [
        { category_id: null, page: 'about', url: '', locales: [] },
        { category_id: null, page: null, url: 'https://a.example/', locales: [{ language_id: 'fr', title: 'À nous' }] },
      ],
    ),
  },
  { requiredKeys: [] },
)
const locales = fc.option(fc.array(locale, { maxLength: 4 }), { nil: undefined })

describe('the stored document of a theme setting', () => {
  test('has what was changed, keeps the rest, and is what the presenter makes of the rows', async () => {
    const shop = await service.openShop()
    const product = await aProduct(shop, { price_license_binding: [{ license_id: 5 }] })
    let before = await firstOf(shop)
    await fc.assert(
      fc.asyncProperty(body, locales, async (given, texts) => {
        const change: Wire = { ...given }
        if (change.sample_product_id === 5) change.sample_product_id = product.id
        const sentLocales = texts?.map(({ place, ...entry }) => ({ ...entry, id: before.locales[place ?? 9]?.id }))
        const answer = await shop.put(`/api/themesettings/${before.id}.json`, {
          ThemeSetting: { ...change, locales: sentLocales },
        })
        await assertPresentedFresh(service.db, shop.companyId, before.id)
        // The same domain twice, and one language twice, are what a shop may be refused for here.
        if (answer.status === 422) {
          assert.match(Object.keys(answer.body.errors).join(), /^((shop|access)_domain|locales\[\d\]\.language_id|,)+$/)
          assert.deepEqual(await readThemeSetting(shop, before.id), before)
          return
        }
        assert.equal(answer.status, 200, answer.text)
        const after = await readThemeSetting(shop, before.id)
        assert.deepEqual(answer.body.ThemeSetting, after)
        const proofs = [after.shop_domain, after.access_domain].filter(Boolean)
        assert.deepEqual(
          after.domain_proofs.map((proof: Wire) => [proof.domain, proof.status]),
          proofs.map((domain) => [domain, 'waiting']),
        )
        assert.deepEqual(after, {
          ...before,
          ...change,
          domain: `${after.vanity_domain || before.id}.localhost`,
          domain_proofs: after.domain_proofs,
          locales: after.locales,
          updated_at: after.updated_at,
        })
        if (texts === undefined) assert.deepEqual(after.locales, before.locales)
        before = after
        const again = await shop.put(`/api/themesettings/${before.id}.json`, { ThemeSetting: before })
        assert.deepEqual({ ...again.body.ThemeSetting, updated_at: '' }, { ...before, updated_at: '' })
        before = again.body.ThemeSetting
      }),
      { numRuns: 60 },
    )
  })

  test('is repaired by a rebuild, and so is the counter', async () => {
    const shop = await service.openShop()
    const { id } = await aThemeSetting(shop, { shop_domain: 'rebuilt.example.com', locales: [{ language_id: 'en' }] })
    const before = await shop.get('/api/themesettings.json')
    const own = ['company_id', '=', shop.companyId] as const
    await service.db
      .updateTable('theme_settings')
      .set({ document: '{}', page_locales: '[]' })
      .where(...own)
      .execute()
    await service.db
      .updateTable('counters')
      .set({ amount: 77 })
      .where(...own)
      .execute()
    const damaged = await service.call('GET', '/api/themesettings.json', { token: shop.token, isDamaged: true })
    assert.notEqual(damaged.text, before.text)
    service.clock.advance(5)
    const done = await rebuild(service.db)
    assert.ok(Number(done.theme_settings) >= 2)
    assert.equal((await shop.get('/api/themesettings.json')).text, before.text)
    assert.deepEqual((await shop.get('/api/themesettings/count.json')).body, { count: 2 })
    await assertPresentedFresh(service.db, shop.companyId, id)
  })

  test('loses no change that is made while a rebuild runs', async () => {
    const shop = await service.openShop()
    const { id } = await firstOf(shop)
    const languages = ['de', 'es', 'fr', 'it', 'nl', 'pl', 'pt', 'sv']
    const add = (language_id: string) =>
      shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { locales: [{ language_id }] } })
    const [answers] = await Promise.all([Promise.all(languages.map(add)), rebuild(service.db)])
    for (const { status, text: answer } of answers) assert.equal(status, 200, answer)
    const { locales: kept } = await readThemeSetting(shop, id)
    assert.deepEqual(kept.map((entry: Wire) => entry.language_id).sort(), ['en', ...languages].sort())
    await assertPresentedFresh(service.db, shop.companyId, id)
  })
})

describe('a database from before there were theme settings', () => {
  async function withDatabase(work: (db: Db) => Promise<void>): Promise<void> {
    const database = await createDatabase('empty')
    const { db, close } = openDatabase(database.connection, { poolMax: 2 })
    try {
      // Every migration with a lower number.
      await migrate(db, '0018')
      await work(db)
    } finally {
      await close()
      await database.drop()
    }
  }

  test('gets one for each company, as a new company does, and not again once it is deleted', async () => {
    await withDatabase(async (db) => {
      await sql`insert into companies (company_name, email, language, created_at, updated_at)
        select 'Bücher ' || number, number || '@example.com', (array['de', 'en'])[number], now(), now()
        from generate_series(1, 2) as number`.execute(db)
      await upgrade(db)
      const [german, english] = [
        JSON.parse(await assertPresentedFresh(db, 1000, 1000)),
        JSON.parse(await assertPresentedFresh(db, 1001, 1001)),
      ]
      assert.deepEqual(
        [german, english].map(({ locales }) => [locales[0].language_id, locales[0].shop_name]),
        [
          ['de', 'Bücher 1'],
          ['en', 'Bücher 2'],
        ],
      )
      assert.deepEqual([german.domain, german.enabled], [`1000.${OWN_HOST}`, true])
      assert.equal((await findShopByHost(db, '1001.localhost', 'localhost'))?.company_id, 1001)
      assert.equal(await countThemeSettings(db, 1000), 1)

      const company = { company_name: 'Bücher 1', email: 'n@example.com', country_code: 'US', currency: 'USD' }
      const user = { email: company.email, passwordHash: null }
      const { companyId } = await inTransaction(db, (tx) =>
        openCompany(tx, { ...company, language: 'DE' }, user, OPENED),
      )
      const opened = JSON.parse(await assertPresentedFresh(db, companyId, 1002))
      const unlike = { id: 0, company_id: 0, domain: '', sub_domain: '', updated_at: '' }
      const comparable = ({ locales, ...rest }: Wire) => ({ ...rest, ...unlike, locales: [{ ...locales[0], id: 0 }] })
      assert.deepEqual(comparable(german), comparable(opened))

      await sql`delete from theme_settings where company_id = 1000`.execute(db)
      assert.deepEqual(await upgrade(db), [])
      await assert.rejects(getThemeSettingDocument(db, 1000, '1000'), { status: 404 })
    })
  })

  test('shows none that is not presented yet, and presents it at the next start', async () => {
    await withDatabase(async (db) => {
      await sql`insert into companies (company_name, email, created_at, updated_at)
        values ('Books', 'a@example.com', now(), now())`.execute(db)
      await upgrade(db)
      await sql`update theme_settings set document = null`.execute(db)
      await assert.rejects(getThemeSettingDocument(db, 1000, '1000'), { status: 404 })
      await upgrade(db)
      await assertPresentedFresh(db, 1000, 1000)
      await sql`update theme_settings set page_locales = null`.execute(db)
      await upgrade(db)
      await assertPresentedFresh(db, 1000, 1000)
    })
  })

  test('may have no company at all', async () => {
    await withDatabase(async (db) => {
      await upgrade(db)
      assert.equal(await countThemeSettings(db, 1000), 0)
    })
  })
})
