import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aNewsRecipient } from '../audience.ts'
import { useBrowser } from '../browser.ts'
import { aCustomer, anEmail } from '../customers.ts'
import { useService } from '../harness.ts'
import { aWritingShop, nameShop } from '../mails.ts'
import { aSharedCustomer, askFor, nameOf, pathTo } from '../self-service.ts'
import { mailsTo } from '../users.ts'
import { glance, inspect, press, sendUnchecked, type, watch } from './inspect.ts'

const service = useService()
const browser = useBrowser()
const CHOSEN = 'a few good words'

describe('a customer whom several companies know', () => {
  test('chooses a new password when one of them asks for it', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    await askFor(shop, customer, { password: 'never used' })
    const path = await pathTo(service, customer.email)
    const watched = await watch(browser, service.url)
    const { page } = watched
    await page.goto(path)
    await inspect(watched, 'customer-password')
    const text = (await page.textContent('main')) ?? ''
    assert.ok(text.includes(await nameOf(shop)) && text.includes(customer.email), text)
    await sendUnchecked(page)
    await type(page, { 'New password': 'short', 'New password again': 'short' })
    await press(page, 'button Save the new password')
    const again = await inspect(watched, 'customer-password-wrong')
    assert.deepEqual(again.alerts, ['Please check the field that is marked.'])
    assert.equal(again.focus, 'input New password')
    await type(page, { 'New password': CHOSEN, 'New password again': CHOSEN })
    await press(page, 'button Save the new password')
    await inspect(watched, 'customer-password-saved')
    await page.goto(path)
    await inspect(watched, 'customer-link-void')
  })

  test('moves to another address by two links', async () => {
    const { shop, customer } = await aSharedCustomer(service)
    const email = `a.rather.long.address.${'x'.repeat(20)}.${anEmail()}`
    await askFor(shop, customer, { email })
    const watched = await watch(browser, service.url)
    const { page } = watched
    await page.goto(await pathTo(service, customer.email))
    await inspect(watched, 'customer-address')
    await press(page, 'button Send a link to the new address')
    await inspect(watched, 'customer-address-asked')
    await page.goto(await pathTo(service, email))
    await inspect(watched, 'customer-proof')
    await press(page, 'button This is my address')
    await inspect(watched, 'customer-moved')
  })

  test('does both on one page, unless the address is taken', async () => {
    const { shop, other, customer } = await aSharedCustomer(service)
    const email = anEmail()
    await askFor(shop, customer, { email, password: 'never used' })
    const rival = await aCustomer(other, { email })
    const watched = await watch(browser, service.url)
    const { page } = watched
    const path = await pathTo(service, customer.email)
    const send = async () => {
      await page.goto(path)
      await type(page, { 'New password': CHOSEN, 'New password again': CHOSEN })
      await press(page, 'button Save the password and send the link')
    }
    await page.goto(path)
    await inspect(watched, 'customer-both')
    await send()
    await inspect(watched, 'customer-address-taken')
    await other.delete(`/api/customers/${rival.token}.json`)
    await send()
    await glance(watched, 'customer-both-asked')
  })
})

/** The paths of the links in the last mail to an address. */
async function linksTo(email: string): Promise<[confirm: string, unsubscribe: string]> {
  const text = (await mailsTo(service, email)).at(-1)?.text ?? ''
  const [confirm = '', unsubscribe = ''] = text.match(/\/newsletter\/\w+\/[\w-]{43}/g) ?? []
  assert.ok(confirm && unsubscribe, text)
  return [confirm, unsubscribe]
}

describe('a recipient of a newsletter', () => {
  test('confirms and leaves on pages of the shop, in its language', async () => {
    const shop = await aWritingShop(service)
    await nameShop(shop, [{ language_id: 'de', shop_name: 'Bücher & Co' }])
    const email = `a.rather.long.address.${'x'.repeat(20)}.${anEmail()}`
    await aNewsRecipient(shop, { email, language: 'de' })
    const [confirm, unsubscribe] = await linksTo(email)
    const watched = await watch(browser, service.url)
    const { page } = watched
    const ofShop = / · Bücher & Co$/
    await page.goto(confirm)
    await inspect(watched, 'newsletter-confirm', ofShop)
    assert.equal(await page.getAttribute('html', 'lang'), 'de')
    await press(page, 'button Ja, anmelden')
    await glance(watched, 'newsletter-confirmed', ofShop)
    await page.goto(unsubscribe)
    await inspect(watched, 'newsletter-unsubscribe', ofShop)
    await press(page, 'button Abbestellen')
    await glance(watched, 'newsletter-unsubscribed', ofShop)
    await page.goto(confirm)
    await inspect(watched, 'newsletter-void', /^(This link no longer works|Dieser Link funktioniert nicht mehr)$/)
  })
})
