import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useBrowser } from '../browser.ts'
import { CUSTOMER_PASSWORD } from '../customers.ts'
import { aSale } from '../entitlements.ts'
import { useService } from '../harness.ts'
import { inspect, press, watch } from './inspect.ts'

const service = useService()
const browser = useBrowser()

test('a customer signs in to a shop, and finds the account and My Content', async () => {
  const { shop, customer } = await aSale(service, { total_downloads: 3 }, {}, 1, { title: 'Tern Island' })
  const { body } = await shop.get('/api/themesettings.json')
  const watched = await watch(browser, `http://${body.ThemeSettings[0].id}.localhost:${new URL(service.url).port}`)
  const { page } = watched
  await page.goto('/my-content')
  await inspect(watched, 'shop-login', /^Sign in · /)
  await page.fill('#email', customer.email)
  await page.fill('#password', 'not the password')
  await press(page, 'button Sign in')
  const wrong = await inspect(watched, 'shop-login-wrong', /^Error: Sign in · /)
  assert.deepEqual(wrong.alerts, ['The e-mail address or the password is wrong.'])
  await page.fill('#password', CUSTOMER_PASSWORD)
  await press(page, 'button Sign in')
  assert.equal(new URL(page.url()).pathname, '/my-content')
  await inspect(watched, 'shop-content', /^My Content · /)
  await page.goto('/account')
  await inspect(watched, 'shop-account', /^Account · /)
  await page.goto('/account/sessions')
  await inspect(watched, 'shop-sessions', /^Where you are signed in · /)
})
