import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Action } from '#history/audit/actions.facts.ts'
import { ACTIONS } from '#history/audit/actions.facts.ts'
import { PHONE, useBrowser } from '../browser.ts'
import { type Shop, useService } from '../harness.ts'
import { ownerOf, registerApp, signedIn } from '../people.ts'
import { carry, glance, inspect, press, tabTo, type, watch } from './inspect.ts'

const service = useService()
const browser = useBrowser()
const CHOSEN = 'a few good words'

/** A browser in which the owner of a shop has signed in. */
async function scene() {
  const shop = await service.openShop()
  const owner = await ownerOf(service, shop)
  const named = { first_name: 'Jane', last_name: 'Roe' }
  assert.equal((await shop.put(`/api/users/${shop.userId}.json`, { user: named })).status, 200)
  const watched = await watch(browser, service.url)
  const { page } = watched
  await carry(watched, service.url, await signedIn(service, shop, { 'user-agent': 'Chrome/140 Linux' }))
  await page.goto('/account')
  return { shop, owner, watched, page }
}

describe('the account page', () => {
  test('changes the password, and says what is wrong before it does', async () => {
    const { shop, owner, watched, page } = await scene()
    await signedIn(service, shop, { 'user-agent': 'Mozilla/5.0 (iPhone) AppleWebKit/605 Safari/604' })
    await page.reload()
    await inspect(watched, 'account')
    const passwords = { 'New password': CHOSEN, 'New password again': CHOSEN }
    await type(page, { 'Current password': 'something else', ...passwords })
    await press(page, 'button Change the password')
    assert.equal((await inspect(watched, 'account-wrong')).focus, 'input Current password')
    await type(page, { 'Current password': owner.password, ...passwords })
    await press(page, 'button Change the password')
    await glance(watched, 'account-changed')
    assert.equal(await page.getByText('Last seen').count(), 1)
    await press(page, 'button Sign out everywhere')
    assert.equal(await page.getByRole('status').textContent(), 'You are signed out everywhere.')
  })
})

describe('the pages of an account in German', () => {
  test('have room for longer words, and times of the clock of the user', async () => {
    const { shop, watched, page } = await scene()
    const user = { language: 'de', time_zone: 60 }
    assert.equal((await shop.put(`/api/users/${shop.userId}.json`, { user })).status, 200)
    await page.reload()
    await inspect(watched, 'account-german')
    assert.match((await page.getByText('Zuletzt gesehen am').textContent()) ?? '', / UTC\+1 von /)
    assert.match(await page.evaluate('getComputedStyle(document.body).fontFamily'), /^"Inter Variable"/)
    assert.equal(await page.evaluate('document.fonts.check(\'16px "Inter Variable"\')'), true)
    await page.goto('/account/second-factor')
    await inspect(watched, 'second-factor-german')
  })
})

describe('the apps page', () => {
  /** Grants permissions to apps, as the prompt does. */
  async function allow(shop: Shop, ...names: string[]) {
    const visitor = await signedIn(service, shop)
    const back = 'https://app.example.com/back'
    for (const name of names) {
      const { client_id } = await registerApp(service, shop, [back], { name })
      const query = new URLSearchParams({ client_id, redirect_uri: back, scope: 'products,orders' })
      await visitor.get(`/oauth2/auth?${query}`)
      await visitor.submit(/oauth2/, { decision: 'allow' })
      await visitor.get(`/oauth2/auth?${query}&state=again`)
      await visitor.submit(/oauth2/, { decision: 'allow' })
    }
  }

  test('shows each app once, removes one after a second thought, and then tells so', async () => {
    const { shop, watched, page } = await scene()
    await allow(shop, 'Shelf', 'Ledger for Accountants')
    await press(page, 'a Apps')
    await inspect(watched, 'apps')
    assert.equal(await page.getByRole('listitem').count(), 3)
    await tabTo(page, 'summary Remove Shelf')
    await page.keyboard.press('Enter')
    await inspect(watched, 'apps-asked')
    await tabTo(page, 'summary Keep it')
    await page.keyboard.press('Enter')
    assert.equal(await page.getByRole('button', { name: 'Remove Shelf' }).count(), 0)
    await tabTo(page, 'summary Remove Shelf')
    await page.keyboard.press('Enter')
    await press(page, 'button Remove Shelf')
    await glance(watched, 'apps-removed')
    assert.equal(await page.getByText('Shelf').count(), 0)
  })

  test('says what it is for while there is none', async () => {
    const { shop, watched, page } = await scene()
    await service.db.deleteFrom('access_tokens').where('company_id', '=', shop.companyId).execute()
    await service.db.deleteFrom('grants').where('company_id', '=', shop.companyId).execute()
    await press(page, 'a Apps')
    await inspect(watched, 'apps-none')
  })
})

describe('the activity page', () => {
  test('is readable on a phone with a hundred entries, each in words', async () => {
    const { shop, watched, page } = await scene()
    const subjects: Partial<Record<Action, string>> = {
      'app allowed': 'Shelf: products, orders',
      'signed in': 'with password',
      'sign-in refused': 'wrong second factor',
    }
    const rows = Array.from({ length: 110 }, (_, index) => {
      const action = ACTIONS[(index * 7) % ACTIONS.length] as Action
      return {
        company_id: shop.companyId,
        user_id: index % 5 === 0 ? null : shop.userId,
        action,
        subject: subjects[action] ?? '',
        address: index % 3 === 0 ? '2001:db8:85a3::8a2e:370:7334' : '192.0.2.7',
        request_id: 'test',
        created_at: new Date(Date.UTC(2026, 2, 1 + Math.floor(index / 20), 8 + (index % 12), index % 60)),
      }
    })
    await service.db.insertInto('audit_entries').values(rows).execute()
    await page.setViewportSize(PHONE)
    await press(page, 'a Activity')
    await inspect(watched, 'activity')
    assert.equal(await page.locator('.log > li').count(), 100)
    const text = (await page.textContent('main')) ?? ''
    assert.ok(!/second factor|token/i.test(text), 'words of ours, not of shop owners')
  })
})
