import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { saveReview } from '#selling/reviews/commands.ts'
import { type Shop, useService } from '../harness.ts'
import { aBuyer, aFilm } from '../orders.ts'
import { inspect, useAdmin } from './admin-pages.ts'

const service = useService()
const openAdmin = useAdmin(service)

/** A shop in which three buyers have said what they think of a film. */
async function aReviewedShop() {
  const shop = await service.openShop()
  const film = await aFilm(service, shop, 1190, { title: 'Salt House' })
  const texts = ['Slow and\nbeautiful.', '<script>alert(1)</script>', 'Buy at cheap.example']
  for (const [place, text] of texts.entries()) {
    const customer = await aBuyer(shop, 'DE', { first_name: 'Ines', last_name: `Brandt ${place}` })
    const reviewer = { companyId: shop.companyId, productKey: film.id, customerId: customer.id }
    const name = place === 1 ? '' : `Ines ${place}`
    await inTransaction(service.db, (tx) =>
      saveReview(tx, reviewer, { stars: 5 - place, text, name }, true, service.clock.now()),
    )
  }
  return { shop, film }
}

async function statesOf(shop: Shop): Promise<string[]> {
  const { reviews } = (await shop.get('/api/reviews.json')).body
  return reviews.map(({ state }: { state: string }) => state)
}

describe('reviews in the admin interface', () => {
  test('those that wait are on Home, and are approved and rejected, one or many, with a way back', async () => {
    const { shop } = await aReviewedShop()
    const { page, complaints } = await openAdmin(shop)
    await page.getByRole('link', { name: '3 reviews wait for you' }).click()
    const rows = page.getByRole('list', { name: 'Reviews' }).getByRole('listitem')
    await rows.filter({ hasText: 'beautiful' }).getByRole('link', { name: 'Salt House' }).waitFor()
    // Whatever somebody wrote is text.
    await page.getByText('<script>alert(1)</script>').waitFor()
    await inspect(page, 'reviews')
    await rows.filter({ hasText: 'beautiful' }).getByRole('button', { name: 'Approve' }).click()
    await page.getByText('The shop shows the review.').waitFor()
    assert.deepEqual(await statesOf(shop), ['approved', 'waiting', 'waiting'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await rows.filter({ hasText: 'beautiful' }).waitFor()
    assert.deepEqual(await statesOf(shop), ['waiting', 'waiting', 'waiting'])

    await page.getByLabel('Select the review without a name').check()
    await page.getByLabel('Select the review by Ines 2').check()
    const bar = page.getByRole('region', { name: 'Selected reviews' })
    await bar.getByText('2 reviews selected').waitFor()
    await bar.getByRole('button', { name: 'Reject' }).click()
    await page.getByText('The shop does not show 2 reviews.').waitFor()
    assert.deepEqual(await statesOf(shop), ['waiting', 'rejected', 'rejected'])
    await page.getByRole('button', { name: 'Undo' }).click()
    await rows.filter({ hasText: 'cheap' }).waitFor()
    assert.deepEqual(await statesOf(shop), ['waiting', 'waiting', 'waiting'])
    await rows.filter({ hasText: 'cheap' }).getByRole('button', { name: 'Reject' }).click()
    await page.getByRole('link', { name: 'Rejected' }).click()
    await rows.filter({ hasText: 'cheap' }).getByRole('button', { name: 'Approve' }).waitFor()
    await rows.filter({ hasText: 'cheap' }).getByRole('link', { name: 'Customer' }).click()
    await page.getByRole('heading', { name: 'Ines Brandt 2' }).waitFor()
    assert.deepEqual(complaints, [])
  })

  test('are reached from the products, and say what to do where there is none', async () => {
    const { page, complaints } = await openAdmin(await service.openShop(), 'de-DE')
    await page.goto('/admin/products')
    await page.getByRole('link', { name: 'Bewertungen' }).click()
    await page.getByText('Keine Bewertung wartet auf Sie.').waitFor()
    await page.getByRole('link', { name: 'Zu den Einstellungen des Shops' }).waitFor()
    await inspect(page, 'reviews-none')
    assert.deepEqual(complaints, [])
  })
})
