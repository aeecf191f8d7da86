import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createLink } from '#identity/users/links/commands.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { useBrowser } from '../browser.ts'
import { useService } from '../harness.ts'
import { glance, inspect, press, sendUnchecked, tabTo, type, watch } from './inspect.ts'

const service = useService()
const browser = useBrowser()
const CHOSEN = 'a few good words'

describe('the first run', () => {
  test('says that there is no shop yet, sets one up, and does so once', async () => {
    const watched = await watch(browser, service.url)
    const { page } = watched
    await page.goto('/')
    await glance(watched, 'first-run-none')

    const token = await inTransaction(service.db, (tx) =>
      createLink(tx, { kind: 'first run', companyId: null, userId: null }, nowInSeconds(service.clock)),
    )
    await page.goto(`/first-run/${token}`)
    await inspect(watched, 'first-run')
    await sendUnchecked(page)
    await type(page, { 'Shop name': 'Books & Co', Password: CHOSEN, 'Password again': 'other' })
    await press(page, 'button Create shop')
    const { focus, fields, alerts } = await inspect(watched, 'first-run-wrong')
    assert.equal(focus, 'select Country')
    assert.deepEqual(alerts, ['Please check the 3 fields that are marked.'])
    const kept = Object.fromEntries(fields.map(({ name, value }) => [name, value]))
    assert.deepEqual([kept.company_name, kept.country, kept.password], ['Books & Co', '', ''])

    await tabTo(page, 'Country')
    // One letter again and again goes from one country to the next, however slow the machine is.
    while ((await page.getByLabel('Country').inputValue()) !== 'DE') await page.keyboard.press('g')
    await type(page, { 'Your email': 'jane@example.com', Password: CHOSEN, 'Password again': CHOSEN })
    await press(page, 'button Create shop')
    assert.equal(new URL(page.url()).pathname, '/admin')
    // Home waits with what is left to do.
    await watched.withScript(async () => {
      await page.reload()
      await page.getByRole('heading', { name: 'Get ready to sell' }).waitFor()
    })
    const company = await service.db.selectFrom('companies').select(['company_name', 'currency']).execute()
    assert.deepEqual(company, [{ company_name: 'Books & Co', currency: 'EUR' }])

    await page.goto(`/first-run/${token}`)
    assert.equal(new URL(page.url()).pathname, '/admin', 'the link has done its work')
    await page.context().clearCookies()
    await page.goto(`/first-run/${token}`)
    await glance(watched, 'first-run-void')
    await page.goto('/')
    assert.equal(new URL(page.url()).pathname, '/sign-in')
  })
})
