import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, test } from 'node:test'
import { Secret, TOTP } from 'otpauth'
import type { Page } from 'playwright-core'
import { useBrowser } from '../browser.ts'
import { useService } from '../harness.ts'
import { ownerOf } from '../people.ts'
import { visit } from '../visitor.ts'
import { glance, inspect, press, tabTo, type, watch } from './inspect.ts'

const service = useService()
const browser = useBrowser()

const pathOf = (page: Page) => new URL(page.url()).pathname

/** What an authenticator app shows for the key that it was given. */
function codeOf(key: string): string {
  return new TOTP({ secret: Secret.fromBase32(key.replace(/\s/g, '')) }).generate({
    timestamp: service.clock.now().getTime(),
  })
}

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
    await page.goto('/account/activity')
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
    assert.equal(pathOf(page), '/account/activity')
    await press(page, 'a Account')
    await press(page, 'button Sign out')
    assert.equal(await page.getByRole('status').textContent(), 'You are signed out.')
    await glance(watched, 'sign-in-signed-out')
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
  test('is set up, asked for, passed with a code or a recovery code, and turned off', async () => {
    const owner = await ownerOf(service, await service.openShop())
    const watched = await watch(browser, service.url)
    const { page } = watched
    await signIn(page, owner)
    await page.goto('/account')
    await press(page, 'a Two-step sign-in')
    await inspect(watched, 'second-factor-off')
    await type(page, { 'Current password': 'something else' })
    await press(page, 'button Set it up')
    assert.equal((await glance(watched, 'second-factor-wrong-password')).focus, 'input Current password')

    await type(page, { 'Current password': owner.password })
    await press(page, 'button Set it up')
    await inspect(watched, 'second-factor-set-up')
    const key = (await page.locator('code').textContent()) ?? ''
    await type(page, { 'Six-digit code': '000000' })
    await press(page, 'button Turn it on')
    await glance(watched, 'second-factor-wrong-code')
    assert.equal(await page.locator('code').textContent(), key, 'the key stays the same while one tries')
    await type(page, { 'Six-digit code': codeOf(key) })
    await press(page, 'button Turn it on')
    await inspect(watched, 'second-factor-codes')
    const codes = await page.locator('.codes li').allTextContents()
    assert.equal(codes.length, 10)
    await tabTo(page, 'Save as a file')
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
    assert.equal(download.suggestedFilename(), 'licet-recovery-codes.txt')
    assert.deepEqual((await readFile(await download.path(), 'utf8')).trim().split('\n').slice(2), codes)
    await press(page, 'a I have kept them')
    await inspect(watched, 'second-factor-on')

    await press(page, 'a Account')
    await press(page, 'button Sign out')
    await signIn(page, owner)
    assert.equal(pathOf(page), '/sign-in/second-factor')
    assert.equal((await inspect(watched, 'second-step')).focus, 'input Six-digit code')
    await type(page, { 'Six-digit code': '000000' })
    await press(page, 'button Sign in')
    assert.match((await inspect(watched, 'second-step-wrong')).alerts[0] ?? '', /Wait for the next one/)
    service.clock.advance(30)
    await type(page, { 'Six-digit code': codeOf(key) })
    await press(page, 'button Sign in')
    assert.equal(pathOf(page), '/admin')
    await page.goto('/account')
    await press(page, 'button Sign out')
    await signIn(page, owner)
    await tabTo(page, 'summary Use a recovery code instead')
    await page.keyboard.press('Enter')
    await type(page, { 'Recovery code': 'none-of-them' })
    await press(page, 'button Sign in with the recovery code')
    const { alerts, focus } = await inspect(watched, 'second-step-recovery')
    assert.match(alerts[0] ?? '', /Try another one/)
    assert.equal(focus, 'input Recovery code')
    await type(page, { 'Recovery code': codes[0] ?? '' })
    await press(page, 'button Sign in with the recovery code')
    assert.equal(pathOf(page), '/admin')
    await page.goto('/account')
    await press(page, 'a Two-step sign-in')
    assert.match((await page.textContent('main')) ?? '', /9 recovery codes left/)
    await type(page, { 'Current password': owner.password })
    await press(page, 'button Turn it off')
    await glance(watched, 'second-factor-turned-off')
    await press(page, 'a Account')
    await press(page, 'button Sign out')
    await signIn(page, owner)
    assert.equal(pathOf(page), '/admin')
  })
})
