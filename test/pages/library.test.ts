import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { grant } from '#rights/entitlements/commands.ts'
import { readEntitlements } from '#rights/entitlements/queries.ts'
import { DESK, expectAccessible, screenshot, useBrowser } from '../browser.ts'
import { aClubFilm, aGroup, join } from '../clubs.ts'
import type { Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { enterShop, ownedContent } from '../owned-content.ts'
import { useShopPages } from '../shop-pages.ts'
import { NARROWEST, tabTo } from './inspect.ts'
import { overflow } from './look.ts'
import { enterPlayer } from './media.ts'

const service = useService()
const browser = useBrowser()
const pages = useShopPages(service)
const [FILM, BOOK] = [9, 16]

test('somebody with many things searches them without a mouse and without script', async () => {
  const { shop, base } = pages
  const { id, customer } = await ownedContent(service, shop, { files: [] })
  const [first] = await readEntitlements(service.db, shop.companyId, [id])
  assert.ok(first)
  const granted = Array.from({ length: 60 }, (_, at) => ({
    ...first.entitlement,
    title: `Number ${at + 1}`,
    product_type: at % 2 === 0 ? FILM : BOOK,
    pieces: 1,
  }))
  await inTransaction(service.db, (tx) => grant(tx, granted, 'en', service.clock.now()))
  const { page } = await enterPlayer(browser, service, { shop, base, customer }, { javaScriptEnabled: false })
  const items = () => page.locator('.shelf-row li').count()
  assert.equal(await items(), 30)
  await page.getByRole('link', { name: 'Show more' }).click()
  await page.getByRole('link', { name: 'Show more' }).click()
  assert.equal(await items(), 1)
  await page.getByRole('link', { name: /^Books/ }).click()
  assert.equal(await items(), 30)
  await tabTo(page, /^input Search your content/)
  await page.keyboard.insertText('number 60')
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  assert.equal(await items(), 1)
  assert.equal(await page.inputValue('#q'), 'number 60')
  assert.equal(new URL(page.url()).searchParams.get('kind'), 'book')
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`a long library can be used by everybody: ${colorScheme}`, async () => {
    const { shop, base } = pages
    const { id, customer } = await ownedContent(service, shop, { files: [] })
    const [first] = await readEntitlements(service.db, shop.companyId, [id])
    assert.ok(first)
    const granted = [FILM, BOOK].map((product_type) => ({ ...first.entitlement, product_type, pieces: 20 }))
    await inTransaction(service.db, (tx) => grant(tx, granted, 'en', service.clock.now()))
    const { page } = await enterPlayer(browser, service, { shop, base, customer }, { colorScheme })
    assert.equal(await page.locator('.choices a').count(), 3)
    await expectAccessible(page)
    await screenshot(page, `library-many-${colorScheme}`)
    await page.setViewportSize(NARROWEST)
    assert.ok((await overflow(page)) <= 0, 'the page is wider than the screen')
    for (const link of await page.locator('.choices a, .find button, .find input:visible').all())
      assert.ok(((await link.boundingBox())?.height ?? 0) >= 44)
  })

/** A club with seven films, of which one has been begun, one is not in it yet and one has left it; and a film that was bought. */
async function aClubLibrary() {
  const { shop } = pages
  const locales = [{ language_id: 'de', title: 'Filmklub Nord', description: 'Jeden Freitag ein neuer Film.' }]
  const now = service.clock.now().getTime()
  const inDays = (days: number) => new Date(now + days * 86_400_000).toISOString()
  const bought = await ownedContent(service, shop, { files: [], product: { title: 'Northbound' } })
  const { customer } = bought
  const group = await aGroup(service, shop, { locales, title: 'Kino Club' }, { total_concurrent_devices: 2 })
  await join(shop, group.id, customer.token, { ends_at: inDays(40) })
  const old = await aGroup(service, shop, { title: 'Book Club', kind: 'access' })
  await join(shop, old.id, customer.token, { start_at: inDays(-20), end_at: inDays(-2) })
  const films = []
  for (const title of ['A House at Inari', 'Mørketid', 'Slack Water', 'Kelp', 'Fyr', 'Salt', 'The Last Ferry'])
    films.push(await aClubFilm(service, shop, [{ group_id: group.id }], { title, runtime: 5880 }))
  await aClubFilm(service, shop, [{ group_id: group.id, start_at: inDays(3) }], { title: 'Harbour Sounds' })
  const visitor = await enterShop(service, shop, pages.base, customer)
  for (const film of films.slice(0, 2))
    await visitor.post(`${pages.base}/my-content/open`, { product_id: String(film.id) })
  const { content } = (await shop.get(`/api/customers/${customer.token}/content.json`)).body
  const opened = content.find(({ title }: Wire) => title === 'A House at Inari')
  const [file] = (await shop.get(`/api/entitlements/${opened.id}/files.json`)).body.files
  const place = { file: String(file.id), seconds: '1500', duration: '5880' }
  await visitor.post(`${pages.base}/my-content/${opened.id}/progress`, place)
  await shop.put(`/api/products/${films[1]?.id}.json`, { product: { groups: [] } })
  return { group, customer, film: films.at(-1) ?? assert.fail() }
}

test('a member opens what a group includes without a mouse and without script', async () => {
  const { shop, base } = pages
  const { group, customer, film } = await aClubLibrary()
  const { page } = await enterPlayer(browser, service, { shop, base, customer }, { javaScriptEnabled: false })
  await tabTo(page, /^a See all/)
  await Promise.all([page.waitForEvent('load'), page.keyboard.press('Enter')])
  assert.equal(new URL(page.url()).pathname, `${base}/my-content/memberships/${group.id}`)
  await tabTo(page, /^button .*The Last Ferry/)
  await Promise.all([page.waitForURL(/\/play$/), page.keyboard.press('Enter')])
  await page.goto(`${base}/products/${film.id}`)
  await tabTo(page, /^button Watch now/)
  await Promise.all([page.waitForURL(/\/play$/), page.keyboard.press('Enter')])
})

for (const colorScheme of ['light', 'dark'] as const)
  test(`what a membership includes can be used by everybody: ${colorScheme}`, async () => {
    const { shop, base } = pages
    const named = ['en', 'de'].map((language_id) => ({ language_id, shop_name: 'Kino Nord' }))
    await shop.put(`/api/themesettings/${base.split('/').at(-1)}.json`, { ThemeSetting: { locales: named } })
    const { group, customer, film } = await aClubLibrary()
    const locale = colorScheme === 'dark' ? 'de-DE' : 'en-GB'
    const { page } = await enterPlayer(browser, service, { shop, base, customer }, { colorScheme, locale })
    await page.goto(`${base}/my-content?lang=${locale.slice(0, 2)}`)
    for (const [name, path] of [
      ['content', '/my-content'],
      ['membership', `/my-content/memberships/${group.id}`],
      ['product', `/products/${film.id}`],
    ]) {
      await page.goto(`${base}${path}?lang=${locale.slice(0, 2)}`)
      await expectAccessible(page)
      await screenshot(page, `library-club-${name}-${colorScheme}`)
      await page.setViewportSize(NARROWEST)
      assert.ok((await overflow(page)) <= 0, `${name} is wider than the screen`)
      await page.setViewportSize(DESK)
    }
  })
