import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { addPerson, aNewsRecipient, changePerson, listPeople, readPerson } from '#test/audience.ts'
import { aCustomer, anEmail } from '#test/customers.ts'
import { useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import { newsletterOf } from '#test/newsletter.ts'
import { visit } from '#test/visitor.ts'
import { deleteUnconfirmed } from '../news-recipients/commands.ts'

const server = useMailServer()
const service = useService({ smtpUrl: server.listening })

beforeEach(() => {
  server.received.length = 0
})

const { linksTo, stateOf, timeNow, topicsOf, aConfirmedRecipient, moveTo } = newsletterOf(service, server)
const DAY = 86_400

describe('a recipient whose address changes', () => {
  test('confirms the new address with a mail to it, and not with the earlier one', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop)
    const pending = await aNewsRecipient(shop, { email: customer.email })
    const { confirm } = await linksTo(customer.email)
    const email = anEmail()
    await moveTo(shop, customer, email)
    for (const answer of [await visit(service.url).get(confirm), await visit(service.url).post(confirm, {})])
      assert.equal(answer.status, 410)
    assert.equal(await stateOf(shop, pending), 'pending')
    await addPerson(shop, 'newsrecipient', { email })
    assert.equal((await visit(service.url).post((await linksTo(email)).confirm, {})).status, 200)
    assert.equal(await stateOf(shop, pending), 'confirmed')
    // A recipient who has agreed stays confirmed, in the same newsletter.
    await moveTo(shop, customer, anEmail())
    assert.equal(await stateOf(shop, pending), 'confirmed')
  })

  // Limits treat an accented letter as the plain one, and an address with it can belong to somebody else.
  test('confirms no similar address', async () => {
    const shop = await service.openShop()
    const email = anEmail()
    const customer = await aCustomer(shop, { email: `e${email}` })
    await aNewsRecipient(shop, { email: customer.email })
    const { confirm } = await linksTo(customer.email)
    await moveTo(shop, customer, `E${email}`)
    assert.equal((await visit(service.url).get(confirm)).status, 200)
    await moveTo(shop, customer, `é${email}`)
    assert.equal((await visit(service.url).get(confirm)).status, 410)
  })

  test('to that of another recipient can use the links in the mails to both', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop)
    const own = await aNewsRecipient(shop, { email: customer.email })
    const browser = visit(service.url)
    const links: { unsubscribe: string }[] = [await linksTo(own.email)]
    for (const _time of [1, 2]) {
      const other = await aNewsRecipient(shop)
      const { confirm, unsubscribe } = await linksTo(other.email)
      links.push({ unsubscribe })
      await moveTo(shop, customer, other.email)
      assert.equal((await browser.post(confirm, {})).status, 200)
      assert.equal(await stateOf(shop, own), 'confirmed')
    }
    for (const { unsubscribe } of links) {
      service.clock.advance(60)
      await changePerson(shop, 'newsrecipient', own.id, { confirmed_at: timeNow() })
      assert.ok((await browser.get(unsubscribe)).text.includes('<button'))
      assert.equal((await browser.post(unsubscribe, {})).status, 200)
      assert.equal(await stateOf(shop, own), 'unsubscribed')
    }
    assert.deepEqual(
      (await listPeople(shop, 'newsrecipient')).map(({ id }) => id),
      [own.id],
    )
  })

  test('leaves no mail behind when the customer or the recipient is deleted', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop)
    const [one, merged] = [await aNewsRecipient(shop, { email: customer.email }), await aNewsRecipient(shop)]
    await moveTo(shop, customer, merged.email)
    await moveTo(shop, customer, anEmail())
    const stranger = await aNewsRecipient(shop)
    const lone = await aNewsRecipient(shop)
    const recipients = async () => {
      const mails = service.db.selectFrom('mails').select('recipient').where('company_id', '=', shop.companyId)
      return (await mails.orderBy('id').execute()).map(({ recipient }) => recipient)
    }
    assert.deepEqual(await recipients(), [one.email, merged.email, stranger.email, lone.email])
    await shop.delete(`/api/newsrecipients/${lone.id}.json`)
    assert.deepEqual(await recipients(), [one.email, merged.email, stranger.email])
    await shop.delete(`/api/customers/${customer.token}.json`)
    assert.deepEqual(await recipients(), [stranger.email])
    assert.equal((await shop.get('/api/newsrecipients/count.json')).body.count, 1)
  })
})

describe('a recipient who has left', () => {
  test('comes back by signing up and confirming again, or with a new consent, and not by an old one', async () => {
    service.clock.stop()
    const shop = await service.openShop()
    const { recipient } = await aConfirmedRecipient(shop)
    service.clock.advance(60)
    const before = await readPerson(shop, 'newsrecipient', recipient.id)
    const left = await changePerson(shop, 'newsrecipient', recipient.id, { state: 'unsubscribed' })
    assert.equal(left.state, 'unsubscribed')
    // An app sends back what it had read before.
    assert.deepEqual(await changePerson(shop, 'newsrecipient', recipient.id, before), left)
    const consent = { email: recipient.email, confirmed_at: before.confirmed_at }
    assert.deepEqual((await addPerson(shop, 'newsrecipient', consent)).body.newsrecipient, left)
    service.clock.advance(60)
    const again = await addPerson(shop, 'newsrecipient', { email: recipient.email })
    assert.deepEqual([again.status, again.body.newsrecipient.state], [200, 'pending'])
    assert.equal(again.body.newsrecipient.confirmed_at, null)
    await visit(service.url).post((await linksTo(recipient.email)).confirm, {})
    assert.equal(await stateOf(shop, recipient), 'confirmed')
    await changePerson(shop, 'newsrecipient', recipient.id, { state: 'unsubscribed' })
    service.clock.advance(60)
    const renewed = await changePerson(shop, 'newsrecipient', recipient.id, { confirmed_at: timeNow() })
    assert.deepEqual([renewed.state, renewed.confirmed_at], ['confirmed', timeNow()])
  })

  test('is not brought back by an old consent while pending again', async () => {
    service.clock.stop()
    const shop = await service.openShop()
    const { recipient } = await aConfirmedRecipient(shop)
    const { confirmed_at } = await readPerson(shop, 'newsrecipient', recipient.id)
    service.clock.advance(60)
    const left_at = timeNow()
    await changePerson(shop, 'newsrecipient', recipient.id, { state: 'unsubscribed' })
    service.clock.advance(60)
    await addPerson(shop, 'newsrecipient', { email: recipient.email })
    for (const old of [confirmed_at, left_at]) {
      assert.equal((await changePerson(shop, 'newsrecipient', recipient.id, { confirmed_at: old })).state, 'pending')
      const again = await addPerson(shop, 'newsrecipient', { email: recipient.email, confirmed_at: old })
      assert.deepEqual([again.status, again.body.newsrecipient.state], [200, 'pending'])
    }
    // Nor does the entry of a customer who takes the address bring the consent along.
    const customer = await aCustomer(shop)
    const own = await aNewsRecipient(shop, { email: customer.email, confirmed_at })
    await moveTo(shop, customer, recipient.email)
    assert.equal(await stateOf(shop, own), 'pending')
    // Without a confirmation the recipient is unsubscribed again in the end, and not forgotten.
    service.clock.advance(31 * DAY)
    await inTransaction(service.db, (tx) => deleteUnconfirmed(tx, service.clock.now()))
    const later = await shop.asUser(shop.userId)
    assert.equal(await stateOf(later, own), 'unsubscribed')
    assert.equal((await changePerson(later, 'newsrecipient', own.id, { confirmed_at })).state, 'unsubscribed')
    assert.equal((await topicsOf(later)).at(-1), 'newsrecipient/update')
    assert.equal((await changePerson(later, 'newsrecipient', own.id, { confirmed_at: timeNow() })).state, 'confirmed')
  })

  test('stays so when a customer takes the address', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop)
    const own = await aNewsRecipient(shop, { email: customer.email, confirmed_at: '2024-06-10' })
    const other = await aNewsRecipient(shop)
    await changePerson(shop, 'newsrecipient', other.id, { state: 'unsubscribed' })
    await moveTo(shop, customer, other.email)
    assert.equal(await stateOf(shop, own), 'unsubscribed')
  })

  test('is in the lists by state', async () => {
    const shop = await service.openShop()
    const [pending, agreed, left] = [await aNewsRecipient(shop), await aNewsRecipient(shop), await aNewsRecipient(shop)]
    await changePerson(shop, 'newsrecipient', agreed.id, { confirmed_at: '2024-06-10' })
    await changePerson(shop, 'newsrecipient', left.id, { state: 'unsubscribed' })
    for (const [state, { id }] of Object.entries({ pending, confirmed: agreed, unsubscribed: left })) {
      const found = await listPeople(shop, 'newsrecipient', `?state=${state}`)
      assert.deepEqual(
        found.map((each) => [each.id, each.state]),
        [[id, state]],
      )
      assert.equal((await shop.get(`/api/newsrecipients/count.json?state=${state}`)).body.count, 1)
    }
    const wrong = await shop.put(`/api/newsrecipients/${left.id}.json`, { newsrecipient: { state: 'gone' } })
    assert.deepEqual([wrong.status, wrong.body.reason], [422, 'field_not_allowed'])
  })
})
