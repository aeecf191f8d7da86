import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { anOpenClub, headingOf, join } from '#test/sign-ups.ts'
import { formsOf, type Visitor } from '#test/visitor.ts'

const service = useService()
const pages = useShopPages(service)

let guests = 0
const aGuest = () => `leaver${++guests}@example.com`

async function aMember(plan: object = {}) {
  const { group, path } = await anOpenClub(service, pages.shop, pages.base, plan)
  const email = aGuest()
  await join(pages.comeIn(), path, email)
  const { subscriptions } = (await pages.shop.get(`/api/subscriptions.json?group_id=${group.id}`)).body
  return { email, path, group, subscription: subscriptions[0] as Wire }
}

const read = async ({ id }: Wire): Promise<Wire> =>
  (await pages.shop.get(`/api/subscriptions/${id}.json`)).body.subscription

const haveOwner = () =>
  service.db
    .updateTable('companies')
    .set({ email: 'owner@example.com' })
    .where('id', '=', pages.shop.companyId)
    .execute()

const page = () => `${pages.base}/cancellation`

async function declare(guest: Visitor, fields: Record<string, string>) {
  await guest.get(page())
  const blank = { name: 'Jane Roe', email: '', number: '', kind: 'ordinary', reason: '', end: '' }
  return guest.post(page(), { ...blank, ...fields })
}

async function mailsTo(recipient: string) {
  await service.runJobs()
  return service.db
    .selectFrom('mails')
    .select(['subject', 'text'])
    .where('company_id', '=', pages.shop.companyId)
    .where('recipient', '=', recipient)
    .orderBy('id')
    .execute()
}

const receiptOf = async (email: string) =>
  (await mailsTo(email)).find(({ subject }) => /Your cancellation at/.test(subject))

describe('the page to cancel without signing in', () => {
  test('is behind a link on every page of a shop that sells plans, and has the button that the law asks for', async () => {
    const { path } = await aMember()
    const club = await pages.comeIn().get(path)
    assert.match(club.text, /href="[^"]*\/cancellation">Cancel contracts here</)
    const id = Number(pages.base.split('/').at(-1))
    const { ThemeSettings } = (await pages.shop.get('/api/themesettings.json')).body
    const { locales } = ThemeSettings.find((each: Wire) => each.id === id)
    const speak = async (ThemeSetting: object) =>
      assert.equal((await pages.shop.put(`/api/themesettings/${id}.json`, { ThemeSetting })).status, 200)
    await speak({ locales: [{ ...locales[0], language_id: 'de' }] })
    const german = await pages.comeIn().get(page())
    await speak({ locales })
    assert.equal(formsOf(german.text).filter(({ action }) => action === page()).length, 1)
    assert.match(german.text, /<button[^>]*>Jetzt kündigen<\/button>/)
    assert.match(german.text, />Verträge hier kündigen</)
  })

  test('cancels the subscription that number and address name, and confirms content and time at once', async () => {
    const { email, subscription } = await aMember()
    const answer = await declare(pages.comeIn(), { email, number: String(subscription.id) })
    assert.equal(answer.status, 200)
    assert.equal(headingOf(answer), 'Your cancellation has been received')
    assert.ok(answer.text.includes(email) && answer.text.includes('Jane Roe'))
    const receipt = await receiptOf(email)
    assert.match(receipt?.text ?? '', /Kino Club is cancelled and ends on/)
    assert.match(receipt?.text ?? '', /Received: .*\d{1,2}:\d{2}/)
    const { status, ends_at } = await read(subscription)
    assert.deepEqual([status, ends_at], ['cancelled', subscription.period_end])
  })

  test('takes the number of an order, and a later day', async () => {
    const { email, subscription } = await aMember()
    const { periods } = (await pages.shop.get(`/api/subscriptions/${subscription.id}/periods.json`)).body
    const end = new Date(Date.parse(`${subscription.period_end}Z`) + 5 * 86_400_000).toISOString().slice(0, 10)
    await declare(pages.comeIn(), { email: email.toUpperCase(), number: `#${periods[0].order_id}`, end })
    await service.runJobs()
    const { status, ends_at } = await read(subscription)
    assert.equal(status, 'cancelled')
    assert.ok(ends_at > `${end}T00:00:00`, `${ends_at} is the end of the period around ${end}`)
  })

  test('leaves to the owner what is not certain, and writes to customers only', async () => {
    await haveOwner()
    const { email, subscription } = await aMember()
    const other = await aMember()
    const answers = [
      await declare(pages.comeIn(), { email }),
      await declare(pages.comeIn(), { email, number: String(other.subscription.id) }),
      await declare(pages.comeIn(), { email: 'stranger@example.com', number: String(subscription.id) }),
      await declare(pages.comeIn(), { email: 'stranger@example.com' }),
    ]
    const shapes = answers.map(({ status, text }) => [
      status,
      text.replaceAll(/<dd[^>]*>.*?<\/dd>/g, '').replaceAll(/<div><dt>Number of[^<]*<\/dt><\/div>/g, ''),
    ])
    assert.deepEqual(
      shapes,
      shapes.map(() => shapes[0]),
      'every answer is the same',
    )
    assert.match((await receiptOf(email))?.text ?? '', /the shop looks for it and answers you/)
    assert.deepEqual(await mailsTo('stranger@example.com'), [])
    const notices = (await mailsTo('owner@example.com')).filter(({ subject }) => subject.startsWith('Cancellation:'))
    assert.equal(notices.length, 4)
    assert.deepEqual([(await read(subscription)).status, (await read(other.subscription)).status], ['active', 'active'])
  })

  test('cancels ordinarily for an important reason, which the owner decides on', async () => {
    await haveOwner()
    const { email, subscription } = await aMember({ minimum_periods: 12 })
    const number = String(subscription.id)
    const guest = pages.comeIn()
    const refused = await declare(guest, { email, number, kind: 'extraordinary' })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /Enter the important reason/)
    await declare(guest, { email, number, kind: 'extraordinary', reason: 'Nothing plays' })
    const notice = (await mailsTo('owner@example.com')).findLast(({ subject }) => subject.startsWith('Cancellation:'))
    assert.match(notice?.text ?? '', /please decide[\s\S]*Reason: Nothing plays/)
    const { status, ends_at, committed_until } = await read(subscription)
    assert.deepEqual([status, ends_at], ['cancelled', committed_until])
  })

  test('refuses what is missing, and floods', async () => {
    const guest = pages.comeIn()
    for (const fields of [
      { email: 'no address' },
      { email: aGuest(), name: ' ' },
      { email: aGuest(), kind: 'other' },
      { email: aGuest(), end: '2027-02-30' },
    ])
      assert.equal((await declare(guest, fields)).status, 422, JSON.stringify(fields))
    const email = aGuest()
    const statuses: number[] = []
    for (let count = 0; count < 4; count += 1) statuses.push((await declare(guest, { email })).status)
    assert.deepEqual(statuses, [200, 200, 200, 429])
  })
})
