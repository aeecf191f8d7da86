import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { useBrowser } from '../browser.ts'
import { useService } from '../harness.ts'
import { codeAt, ownerOf, signedIn, turnOnSecondFactor } from '../people.ts'
import { visit } from '../visitor.ts'
import { glance, inspect, press, tabTo, type, watch } from './inspect.ts'

const service = useService()
const browser = useBrowser()

const pathOf = (page: Page) => new URL(page.url()).pathname

async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.goto('/sign-in')
  await type(page, { 'Email address': email, Password: password })
  await press(page, 'button Sign in')
}

describe('signing in', () => {
  test('says what is wrong, keeps the address, and leads to where one wanted to go', async () => {
    const owner = await ownerOf(service, await service.openShop())
    const watched = await watch(browser, service.url)
    const { page } = watched
    await page.goto('/admin/settings/activity')
    assert.equal((await inspect(watched, 'sign-in')).focus, 'input Email address')

    await type(page, { 'Email address': owner.email, Password: 'something else' })
    await press(page, 'button Sign in')
    const { alerts, focus, fields } = await inspect(watched, 'sign-in-wrong')
    assert.deepEqual(alerts, ['The email address or the password is wrong. Try again, or reset your password.'])
    assert.equal(focus, 'input Password')
    assert.deepEqual(
      fields.map(({ name, value, description }) => [name, value, description]),
      [
        ['email', owner.email, ''],
        ['password', '', alerts[0]],
      ],
    )

    await type(page, { Password: owner.password })
    await press(page, 'button Sign in')
    assert.equal(pathOf(page), '/admin/settings/activity')
    await page.context().clearCookies()
    await page.goto('/sign-in?told=ended&return_to=/admin/orders')
    assert.match((await page.getByRole('status').textContent()) ?? '', /go on where you were/)
    await glance(watched, 'sign-in-ended')
  })

  test('tells whoever tries too often how long to wait, and what else there is to do', async () => {
    const guesser = visit(service.url)
    const email = 'guessed@example.com'
    await guesser.get('/sign-in')
    for (let tries = 0; tries < 12; tries += 1) {
      await guesser.submit('/sign-in', { email, password: 'a guess' })
      service.clock.advance(2 ** Math.max(0, tries - 4))
    }
    const watched = await watch(browser, service.url)
    await signIn(watched.page, { email, password: 'a guess' })
    await signIn(watched.page, { email, password: 'a guess' })
    const { alerts } = await glance(watched, 'sign-in-wait')
    assert.match(
      alerts[0] ?? '',
      /^There were too many attempts\. Try again in \d+ \w+\. You can also reset your password\.$/,
    )
  })
})

describe('two-step sign-in', () => {
  test('is asked for, and passed with a code or a recovery code', async () => {
    const shop = await service.openShop()
    const owner = await ownerOf(service, shop)
    const { secret, recoveryCodes } = await turnOnSecondFactor(service, await signedIn(service, shop))
    const watched = await watch(browser, service.url)
    const { page } = watched
    await signIn(page, owner)
    assert.equal(pathOf(page), '/sign-in/second-factor')
    assert.equal((await inspect(watched, 'second-step')).focus, 'input Six-digit code')
    await type(page, { 'Six-digit code': '000000' })
    await press(page, 'button Sign in')
    assert.match((await inspect(watched, 'second-step-wrong')).alerts[0] ?? '', /Wait for the next one/)
    service.clock.advance(30)
    await type(page, { 'Six-digit code': codeAt(secret, service.clock.now()) })
    await press(page, 'button Sign in')
    assert.equal(pathOf(page), '/admin')
    await page.context().clearCookies()
    await signIn(page, owner)
    await tabTo(page, 'summary Use a recovery code instead')
    await page.keyboard.press('Enter')
    await type(page, { 'Recovery code': 'none-of-them' })
    await press(page, 'button Sign in with the recovery code')
    const { alerts, focus } = await inspect(watched, 'second-step-recovery')
    assert.match(alerts[0] ?? '', /Try another one/)
    assert.equal(focus, 'input Recovery code')
    await type(page, { 'Recovery code': recoveryCodes[0] ?? '' })
    await press(page, 'button Sign in with the recovery code')
    assert.equal(pathOf(page), '/admin')
  })
})
