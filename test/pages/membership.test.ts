import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DESK, expectAccessible, PHONE, screenshot, useBrowser } from '../browser.ts'
import { aGroup } from '../clubs.ts'
import { anEmail } from '../customers.ts'
import { aPrice, aThemeSetting, usePictureHost } from '../factories.ts'
import { useService } from '../harness.ts'
import { aFilm } from '../orders.ts'
import { offer } from '../payments.ts'
import { aPlan } from '../sign-ups.ts'
import { NARROWEST, press, tabTo, type, type Watched, watch } from './inspect.ts'
import { overflow } from './look.ts'

const service = useService()
const browser = useBrowser()
const host = usePictureHost()

const originOf = (label: string) => `http://${label}.localhost:${new URL(service.url).port}`

/** Looks at a page on a phone and on a desk, in light and dark. */
async function inspect({ page, withScript }: Watched, name: string, title: RegExp): Promise<void> {
  assert.match(await page.title(), title)
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await withScript(() => expectAccessible(page, colorScheme === 'dark' ? 'colours' : 'everything'))
    if (colorScheme === 'dark') await screenshot(page, `${name}-desk-dark`)
  }
  for (const [width, size] of Object.entries({ PHONE, DESK, NARROWEST })) {
    await page.setViewportSize(size)
    assert.ok((await overflow(page)) <= 0, `${name} is too wide at ${size.width}`)
    await screenshot(page, `${name}-${width.toLowerCase()}`)
  }
  await page.setViewportSize(DESK)
}

/** A shop with a club of films, by month with free days and by year. */
async function aClubShop() {
  const shop = await service.openShop()
  await offer(service, shop, { test: { enabled: true } })
  const { id } = await aThemeSetting(shop, { locales: [{ language_id: 'en', shop_name: 'Kino Nord' }] })
  const description = 'Films from the north, a new one every Friday.'
  const group = await aGroup(
    service,
    shop,
    { locales: [{ language_id: 'en', title: 'Kino Club', description }] },
    { total_concurrent_devices: 2 },
  )
  const price = async (cents: number) =>
    (await aPrice(service, shop, { currencies: [{ currency: 'EUR', price: cents }] })).id
  await aPlan(shop, { group_id: group.id, price_id: await price(790), trial_days: 14 })
  await aPlan(shop, {
    group_id: group.id,
    price_id: await price(7900),
    title: 'Yearly',
    interval: 'year',
    minimum_periods: 1,
  })
  const films = []
  for (const title of ['The Last Ferry', 'Kelp', 'Foghorn', 'Salt House', 'Polar Night'])
    films.push(
      await aFilm(service, shop, 1190, {
        title,
        groups: [{ group_id: group.id }],
        preview_pictures: [{ src: host.url('/tall.png') }],
      }),
    )
  await service.runJobs()
  return { shop, group, film: films[0], origin: originOf(id) }
}

describe('a stranger without script', () => {
  test('comes from a film to its club, joins by keyboard, and reads what is paid when', async () => {
    const { shop, group, film, origin } = await aClubShop()
    const watched = await watch(browser, origin)
    const { page } = watched
    await page.goto(`/products/${film?.id}`)
    await inspect(watched, 'membership-offer', /^The Last Ferry · Kino Nord$/)
    await press(page, 'a See Kino Club')
    await inspect(watched, 'membership', /^Kino Club · Kino Nord$/)
    await type(page, { Email: 'marta' })
    await press(page, 'button Continue to payment')
    assert.match((await page.textContent('#email-e')) ?? '', /Enter an email address/)
    await inspect(watched, 'membership-join', /^Error: Your details · Kino Nord$/)
    const email = anEmail()
    await type(page, { Email: email })
    await tabTo(page, /^select Country/)
    await page.keyboard.type('Germany')
    await press(page, 'button Continue to payment')
    await inspect(watched, 'membership-pay', /^Payment · Kino Nord$/)
    await type(page, { 'Card number': '4000 0000 0000 0002' })
    await tabTo(page, /^input Start right away/)
    await page.keyboard.press('Space')
    await press(page, /^button Subscribe and pay from/)
    assert.match((await page.textContent('[role="alert"]')) ?? '', /declined/)
    await inspect(watched, 'membership-declined', /^Error: Your order · Kino Nord$/)
    await type(page, { 'Card number': '4242 4242 4242 4242' })
    await press(page, 'button Continue')
    assert.equal((await page.textContent('h1'))?.trim(), 'Welcome to Kino Club')
    await inspect(watched, 'membership-welcome', /^Your order · Kino Nord$/)
    const { subscriptions } = (await shop.get(`/api/subscriptions.json?group_id=${group.id}`)).body
    assert.deepEqual(
      subscriptions.map(({ status, amount }: { status: string; amount: number }) => [status, amount]),
      [['trialing', 790]],
    )
    await page.goto(`/memberships/${group.id}`)
    await type(page, { Email: email })
    await press(page, 'button Continue to payment')
    assert.equal((await page.textContent('h1'))?.trim(), 'You are a member already')
    await inspect(watched, 'membership-already', /^You are a member already · Kino Nord$/)
  })
})
