import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useService } from '../harness.ts'
import { aBuyer } from '../orders.ts'
import { aReadingApp, fetchJson } from '../reading-app.ts'
import { aProtectedBook, aReadingLicense } from '../reading-licenses.ts'
import { inspect, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

test('the page of a customer shows which reading apps have a book, what they renewed, and that taking it back ends it', async () => {
  const shop = await service.openShop()
  const customer = await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: 'Brandt' })
  const terms = { expire_after_acquisition: 30, expire_after_acquisition_mode: 1 }
  const { id } = await aProtectedBook(service, { shop, customer, terms })
  const license = await aReadingLicense(service, shop, id)
  const app = aReadingApp('tablet', 'Thorium on the tablet')
  const status = async () => (await fetchJson(license.status_url)).body
  await app.register(await status())
  const ends_at = new Date(Date.parse(`${license.ends_at}Z`) + 86_400_000).toISOString().slice(0, 19)
  const extension = { ends_at, reason: 'The train had no network.' }
  assert.equal((await shop.post(`/api/entitlements/${id}/extensions.json`, { extension })).status, 200)
  await app.renew(await status())

  const { page, complaints } = await openAdmin(shop)
  await page.goto(`/admin/customers/${customer.token}`)
  await page.getByRole('button', { name: 'Why?' }).click()
  const licenses = page.getByRole('region', { name: 'Licenses of apps' })
  await licenses.getByText('Opened by 1 app: Thorium on the tablet.').waitFor()
  await licenses.getByText('Renewed once.').waitFor()
  await licenses.getByText('Active').waitFor()
  await inspect(page, 'customer-app-licenses')

  await page.getByRole('button', { name: 'Take back' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Take back' }).click()
  await licenses.getByText('Taken back').waitFor()
  assert.equal((await status()).status, 'revoked')
  assert.deepEqual(complaints, [])
})
