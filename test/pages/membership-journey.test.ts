import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { TEST_CARDS } from '#selling/payments/gateways/test-cards/gateway.ts'
import { useBrowser } from '../browser.ts'
import { aClubFilm, aGroup } from '../clubs.ts'
import { anEmail } from '../customers.ts'
import { aPrice, aThemeSetting, type Wire } from '../factories.ts'
import { useService } from '../harness.ts'
import { offer } from '../payments.ts'
import { move } from '../sandboxes.ts'
import { aPlan } from '../sign-ups.ts'
import { press, tabTo, type, watch } from './inspect.ts'

const service = useService()
const browser = useBrowser()

/** A sandbox with a club of one film, by month with free days and by year. */
async function aClubShop() {
  const shop = await service.openShop({ sandbox: true })
  await offer(service, shop, { test: { enabled: true } })
  const { id } = await aThemeSetting(shop, { locales: [{ language_id: 'en', shop_name: 'Kino Nord' }] })
  const group = await aGroup(service, shop, { locales: [{ language_id: 'en', title: 'Kino Club' }] })
  const price = async (cents: number) =>
    (await aPrice(service, shop, { currencies: [{ currency: 'EUR', price: cents }] })).id
  await aPlan(shop, { group_id: group.id, price_id: await price(790), trial_days: 14 })
  const yearly = { title: 'Yearly', interval: 'year' }
  const year = await aPlan(shop, { group_id: group.id, price_id: await price(7900), ...yearly })
  const film = await aClubFilm(service, shop, [{ group_id: group.id }], { title: 'Kelp' })
  await service.runJobs()
  return { shop, group, year, film, origin: `http://${id}.localhost:${new URL(service.url).port}` }
}

const heading = async (page: Page) => (await page.textContent('h1'))?.trim()

/** The last link in a mail of the sandbox, which keeps them: its path below the shop. */
async function linkTo(email: string, path: RegExp): Promise<string> {
  await service.runJobs()
  const mails = await service.db
    .selectFrom('mails')
    .select('text')
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .execute()
  const [link] = mails.flatMap(({ text }) => path.exec(text ?? '')?.[0] ?? [])
  assert.ok(link, `no mail has a link to ${path}`)
  return link
}

async function joinWith(page: Page, { id }: Wire, email: string, card: string): Promise<void> {
  await page.goto(`/memberships/${id}`)
  await type(page, { Email: email })
  await press(page, 'button Continue to payment')
  if ((await heading(page)) === 'Your details') {
    await tabTo(page, /^select Country/)
    await page.keyboard.type('Germany')
    await press(page, 'button Continue to payment')
  }
  await type(page, { 'Card number': card })
  await tabTo(page, /^input Start right away/)
  await page.keyboard.press('Space')
  await press(page, /^button Subscribe and pay from/)
  assert.equal(await heading(page), 'Welcome to Kino Club')
}

describe('a member of a club in a sandbox', () => {
  test('tries it, pays, mends a card, changes the plan, cancels, watches to the end, and is asked to join again', async () => {
    const { shop, group, year, film, origin } = await aClubShop()
    const { page } = await watch(browser, origin)
    const email = anEmail()
    const read = async (): Promise<Wire> =>
      (await shop.get(`/api/subscriptions.json?group_id=${group.id}`)).body.subscriptions[0]
    const moveTo = (time: string, hours = 1) =>
      move(service, shop, { at: new Date(Date.parse(`${time}Z`) + hours * 3_600_000).toISOString() })

    await joinWith(page, group, email, TEST_CARDS.failsSecondRenewal)
    await press(page, 'button Email me a sign-in link')
    await page.goto(await linkTo(email, /\/login\/[\w-]{43}/))
    await press(page, /^button Sign in/)
    await page.goto('/my-content')
    assert.match((await page.textContent('main')) ?? '', /Kelp/)
    await page.goto(`/products/${film.id}`)
    await press(page, /^button .*(Play|Watch)/)
    const player = page.url()
    assert.equal(await page.locator('button.play').count(), 1)
    assert.match(player, /\/my-content\/\d+\/(open|play)/)
    assert.equal((await read()).status, 'trialing')

    await moveTo((await read()).period_end)
    const paid = await read()
    assert.deepEqual([paid.status, paid.period], ['active', 1])
    await moveTo(paid.period_end)
    assert.equal((await read()).status, 'past_due')
    await page.goto('/my-content')
    assert.match((await page.textContent('main')) ?? '', /We could not charge €7\.90/)

    await page.goto(await linkTo(email, /\/subscriptions\/\d+-[\w-]+/))
    assert.equal(await heading(page), 'We could not charge €7.90')
    await type(page, { 'Card number': TEST_CARDS.succeeds })
    await press(page, /^button Pay €7\.90/)
    assert.equal(await heading(page), 'Kino Club goes on')
    const mended = await read()
    assert.deepEqual([mended.status, mended.period], ['active', 2])

    await page.goto(`/account/subscriptions/${mended.id}`)
    await press(page, 'button See what it costs')
    await press(page, /^button Change and pay €/)
    assert.match((await page.textContent('main')) ?? '', /Your plan is Yearly now/)
    assert.equal((await read()).plan_id, year.id)

    await tabTo(page, /Cancel Kino Club/)
    await page.keyboard.press('Enter')
    await press(page, /^button Cancel on/)
    const cancelled = await read()
    assert.equal(cancelled.status, 'cancelled')
    await moveTo(cancelled.ends_at, -2)
    await page.goto(player)
    assert.equal(await page.locator('button.play').count(), 1, 'the year is paid')

    await moveTo(cancelled.ends_at)
    assert.equal((await read()).status, 'ended')
    await page.goto(player.replace(/\/open$/, '/play'))
    assert.match((await page.textContent('.p-refused')) ?? '', /Your membership has ended[\s\S]*Join again/)
    await page.goto('/my-content')
    await press(page, /^a Join again/)
    assert.equal(await heading(page), 'Kino Club')
  })
})
