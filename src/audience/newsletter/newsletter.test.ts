import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { tokenHash } from '#platform/crypto.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { addPerson, aNewsRecipient, changePerson, listPeople, readPerson } from '#test/audience.ts'
import { aCustomer, anEmail } from '#test/customers.ts'
import { aThemeSetting, eventsOf, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import { aWritingShop, contentOf, mailsTo, mailTo, nameShop } from '#test/mails.ts'
import { visit } from '#test/visitor.ts'
import { deleteUnconfirmed } from '../news-recipients/commands.ts'
import { deleteOldConfirmations } from './commands.ts'

const server = useMailServer()
const service = useService({ smtpUrl: server.listening })

beforeEach(() => {
  server.received.length = 0
})

const DAY = 86_400
const LINKS = /http:\/\/127\.0\.0\.1:\d+(\/newsletter\/(confirm|unsubscribe)\/[\w-]{43})/g

/** The paths of both links in the last mail to an address. */
async function linksTo(email: string): Promise<{ confirm: string; unsubscribe: string }> {
  const mail = (await mailsTo(service, server, email)).at(-1)
  assert.ok(mail, `nothing came to ${email}`)
  const links = [...contentOf(mail).text.matchAll(LINKS)].map(([, path = '', kind = '']) => [kind, path])
  assert.deepEqual(
    links.map(([kind]) => kind),
    ['confirm', 'unsubscribe'],
  )
  return Object.fromEntries(links)
}

const stateOf = async (shop: Shop, { id }: Wire) => (await readPerson(shop, 'newsrecipient', id)).state
const timeNow = () => nowInSeconds(service.clock).toISOString().slice(0, 19)

async function topicsOf(shop: Shop): Promise<string[]> {
  return (await eventsOf(service, shop)).map(({ topic }) => topic).filter((topic) => topic.startsWith('news'))
}

async function aConfirmedRecipient(shop: Shop, attributes: object = {}) {
  const recipient = await aNewsRecipient(shop, attributes)
  const links = await linksTo(recipient.email)
  assert.equal((await visit(service.url).post(links.confirm, {})).status, 200)
  return { recipient, links }
}

async function moveTo(shop: Shop, { token }: Wire, email: string): Promise<void> {
  const moved = await shop.put(`/api/customers/${token}.json`, { customer: { email } })
  assert.equal(moved.status, 200, moved.text)
}

describe('a sign-up for a newsletter', () => {
  test('is pending until the recipient confirms it', async () => {
    const shop = await aWritingShop(service)
    await nameShop(shop, [{ language_id: 'en', shop_name: 'Books & Co' }])
    const recipient = await aNewsRecipient(shop)
    assert.deepEqual([recipient.state, recipient.confirmed_at], ['pending', null])
    const { subject, text, words, received } = await mailTo(service, server, recipient.email)
    assert.equal(subject, 'Please confirm: newsletter of Books & Co')
    assert.equal(received.email.from?.name, 'Books & Co')
    for (const part of [text, words]) {
      assert.match(part, /entered for the newsletter of Books & Co/)
      assert.match(part, /do nothing: you will not get the newsletter/)
      assert.match(part, /Books & Co GmbH/)
      assert.doesNotMatch(part, /undefined|null|\[object/)
    }
    const { confirm } = await linksTo(recipient.email)
    const browser = visit(service.url)
    // Mail scanners open links, and confirm nothing by it.
    const page = await browser.get(confirm)
    assert.equal(page.status, 200)
    assert.ok(page.text.includes('Books &#38; Co') && page.text.includes('<button'), page.text)
    assert.equal(await stateOf(shop, recipient), 'pending')
    service.clock.advance(60)
    const done = await browser.post(confirm, {})
    assert.deepEqual([done.status, done.headers.getSetCookie()], [200, []])
    const confirmed = await readPerson(shop, 'newsrecipient', recipient.id)
    assert.deepEqual([confirmed.state, confirmed.confirmed_at], ['confirmed', confirmed.updated_at])
    assert.ok(confirmed.confirmed_at > recipient.created_at)
    // Following the link again changes nothing.
    for (const again of [await browser.get(confirm), await browser.post(confirm, {})])
      assert.ok(again.status === 200 && !again.text.includes('<button'), again.text)
    assert.deepEqual(await topicsOf(shop), ['newsrecipient/create', 'newsrecipient/update'])
  })

  test('is stored without the token of the link, which never reaches the log', async () => {
    const shop = await service.openShop()
    const { links } = await aConfirmedRecipient(shop)
    const token = links.confirm.slice('/newsletter/confirm/'.length)
    const stored = await service.db
      .selectFrom('news_confirmations')
      .select('token_hash')
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.deepEqual(
      stored.map(({ token_hash }) => token_hash),
      [tokenHash(token)],
    )
    assert.ok(service.log.some((line) => line.includes('/newsletter/confirm/…')))
    assert.ok(!service.log.some((line) => line.includes(token)))
  })

  test('is confirmed at once by an app that has the consent', async () => {
    const shop = await service.openShop()
    const confirmed_at = '2024-06-10T09:30:00'
    const recipient = await aNewsRecipient(shop, { confirmed_at })
    assert.deepEqual([recipient.state, recipient.confirmed_at], ['confirmed', confirmed_at])
    const soon = await addPerson(shop, 'newsrecipient', { email: anEmail(), confirmed_at: '2100-01-01' })
    assert.deepEqual([soon.status, soon.body.reason], [422, 'consent_in_future'])
    const pending = await aNewsRecipient(shop)
    assert.equal((await changePerson(shop, 'newsrecipient', pending.id, { confirmed_at })).state, 'confirmed')
    assert.deepEqual(await mailsTo(service, server, recipient.email), [])
  })

  test('is for one shop of the company, the first unless it says which', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const locales = [{ language_id: 'en', shop_name: 'Second shop' }]
    const second = await aThemeSetting(shop, { newsletter_enabled: false, locales })
    const [first] = (await shop.get('/api/themesettings.json')).body.ThemeSettings
    const one = await aNewsRecipient(shop, { theme_setting_id: 0 })
    const two = await aNewsRecipient(shop, { email: one.email, theme_setting_id: second.id })
    assert.deepEqual([one.theme_setting_id, two.theme_setting_id], [first.id, second.id])
    assert.deepEqual(await listPeople(shop, 'newsrecipient', `?theme_setting_id=${second.id}`), [two])
    const subjects = (await mailsTo(service, server, one.email)).map(({ email }) => email.subject ?? '')
    assert.equal(subjects.filter((subject) => subject.endsWith('Second shop')).length, 1, subjects.join())
    const theirs = (await other.get('/api/themesettings.json')).body.ThemeSettings[0].id
    for (const theme_setting_id of [theirs, 999_999_999]) {
      const answer = await addPerson(shop, 'newsrecipient', { email: anEmail(), theme_setting_id })
      assert.deepEqual([answer.status, answer.body.reason], [422, 'newsletter_shop_unknown'])
    }
    // What is left of a shop that was deleted is the company.
    await shop.delete(`/api/themesettings/${second.id}.json`)
    const { unsubscribe } = await linksTo(one.email)
    assert.equal((await visit(service.url).get(unsubscribe)).status, 200)
  })

  test('writes mail and pages in the language of the recipient, else of the shop', async () => {
    const said: Record<string, [RegExp, string]> = {
      en: [/^Please confirm: newsletter of /, 'Confirm your subscription'],
      de: [/^Bitte bestätigen: Newsletter von /, 'Anmeldung bestätigen'],
      pt: [/^Confirme, por favor: newsletter de /, 'Confirme a sua subscrição'],
      es: [/^Confirme su suscripción: boletín de /, 'Confirme su suscripción'],
      it: [/^Confermi l’iscrizione: newsletter di /, 'Confermi la sua iscrizione'],
      fr: [/^Merci de confirmer : newsletter de /, 'Confirmez votre inscription'],
      nl: [/^Please confirm: newsletter of /, 'Confirm your subscription'],
    }
    const shop = await aWritingShop(service)
    for (const [language, [subject, title]] of Object.entries(said)) {
      const { email } = await aNewsRecipient(shop, { language: language.toUpperCase() })
      const mail = await mailTo(service, server, email)
      assert.match(mail.subject, subject)
      const page = await visit(service.url).get((await linksTo(email)).confirm)
      const own = language === 'nl' ? 'en' : language
      assert.ok(page.text.includes(`<html lang="${own}">`) && page.text.includes(`<h1>${title}</h1>`), page.text)
    }
    const customer = await aCustomer(shop, { language: 'fr' })
    assert.equal((await aNewsRecipient(shop, { email: customer.email })).language, 'fr')
    const german = await aWritingShop(service, { language: 'de' })
    assert.equal((await aNewsRecipient(german)).language, 'de')
  })

  test('that is repeated is answered with the same recipient, and mailed three times a day at most', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    const email = anEmail()
    const made = await aNewsRecipient(shop, { email })
    const signUp = () => addPerson(shop, 'newsrecipient', { email: email.toUpperCase() })
    for (let times = 0; times < 4; times += 1) {
      const { status, body } = await signUp()
      assert.deepEqual([status, body.newsrecipient], [200, made])
    }
    assert.equal((await mailsTo(service, server, email)).length, 3)
    // Deleting the recipient in between is no way around.
    await shop.delete(`/api/newsrecipients/${made.id}.json`)
    await aNewsRecipient(shop, { email })
    assert.equal((await mailsTo(service, server, email)).length, 3)
    await aNewsRecipient(other, { email })
    assert.equal((await mailsTo(service, server, email)).length, 4)
    service.clock.advance(DAY + 1)
    const later = await shop.asUser(shop.userId)
    assert.equal((await addPerson(later, 'newsrecipient', { email })).status, 200)
    assert.equal((await mailsTo(service, server, email)).length, 5)
    // Each of the links works.
    assert.equal((await visit(service.url).post((await linksTo(email)).confirm, {})).status, 200)
    assert.equal((await addPerson(later, 'newsrecipient', { email })).body.newsrecipient.state, 'confirmed')
    assert.equal((await mailsTo(service, server, email)).length, 5, 'nobody who has agreed is asked again')
  })

  test('that nobody confirms ends after a week, and is forgotten after a month', async () => {
    const shop = await service.openShop()
    const { email } = await aNewsRecipient(shop)
    const { recipient: agreed } = await aConfirmedRecipient(shop)
    const { confirm } = await linksTo(email)
    const forget = () =>
      inTransaction(service.db, async (tx) => {
        await deleteOldConfirmations(tx, service.clock.now())
        await deleteUnconfirmed(tx, service.clock.now())
      })
    service.clock.advance(7 * DAY - 60)
    assert.equal((await visit(service.url).get(confirm)).status, 200)
    service.clock.advance(60)
    const page = await visit(service.url, { 'accept-language': 'de-CH, en;q=0.5' }).post(confirm, {})
    assert.deepEqual([page.status, page.text.includes('<html lang="de">')], [410, true])
    await forget()
    const links = service.db.selectFrom('news_confirmations').where('company_id', '=', shop.companyId)
    assert.deepEqual(await links.select('recipient_id').execute(), [])
    const later = () => shop.asUser(shop.userId)
    assert.equal((await listPeople(await later(), 'newsrecipient')).length, 2)
    service.clock.advance(23 * DAY + 1)
    await forget()
    const left = await listPeople(await later(), 'newsrecipient')
    assert.deepEqual(
      left.map(({ id }) => id),
      [agreed.id],
    )
    assert.equal((await (await later()).get('/api/newsrecipients/count.json')).body.count, 1)
  })
})

describe('the link to unsubscribe', () => {
  test('shows a page with a button that ends the newsletter', async () => {
    const shop = await service.openShop()
    const { recipient, links } = await aConfirmedRecipient(shop)
    const browser = visit(service.url)
    const page = await browser.get(links.unsubscribe)
    assert.ok(page.status === 200 && page.text.includes('<button'), page.text)
    assert.equal(await stateOf(shop, recipient), 'confirmed')
    service.clock.advance(60)
    assert.equal((await browser.post(links.unsubscribe, {})).status, 200)
    const left = await readPerson(shop, 'newsrecipient', recipient.id)
    assert.equal(left.state, 'unsubscribed')
    assert.notEqual(left.confirmed_at, null, 'the consent stays on record')
    for (const again of [await browser.get(links.unsubscribe), await browser.post(links.unsubscribe, {})])
      assert.ok(again.status === 200 && !again.text.includes('<button'), again.text)
    assert.equal((await topicsOf(shop)).filter((topic) => topic.endsWith('update')).length, 2)
    // The earlier link to confirm does not bring it back.
    assert.equal((await browser.post(links.confirm, {})).status, 410)
    assert.equal(await stateOf(shop, recipient), 'unsubscribed')
  })

  // RFC 8058: mail programs send either kind of form, without cookies and without having seen the page.
  test('works with one click, for years', async () => {
    const shop = await service.openShop()
    const bodies: [string, string][] = [
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      [
        'multipart/form-data; boundary=x',
        '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
      ],
    ]
    const people: { recipient: Wire; links: { unsubscribe: string } }[] = []
    for (const _body of bodies) people.push(await aConfirmedRecipient(shop))
    service.clock.advance(3 * 365 * DAY)
    for (const [index, [type, body]] of bodies.entries()) {
      const path = people[index]?.links.unsubscribe ?? ''
      const answer = await service.call('POST', path, { body, headers: { 'content-type': type } })
      assert.deepEqual([answer.status, answer.headers.getSetCookie()], [200, []], type)
    }
    const later = await shop.asUser(shop.userId)
    assert.deepEqual(
      (await listPeople(later, 'newsrecipient', '?state=unsubscribed')).map(({ id }) => id),
      people.map(({ recipient }) => recipient.id),
    )
  })

  test('is in the headers of the mail, for one click if the service is reached by https', async () => {
    const shop = await service.openShop()
    const headersOf = async ({ email }: Wire) => {
      const { received } = await mailTo(service, server, email)
      const header = (name: string) => received.email.headers.find(({ key }) => key === name)?.value
      return [header('list-unsubscribe'), header('list-unsubscribe-post')]
    }
    const [plain, none] = await headersOf(await aNewsRecipient(shop))
    assert.match(plain ?? '', /^<http:\/\/127\.0\.0\.1:\d+\/newsletter\/unsubscribe\/[\w-]{43}>$/)
    assert.equal(none, undefined)
    const before = service.app.baseUrl
    service.app.baseUrl = 'https://shops.example.com'
    try {
      const [address, oneClick] = await headersOf(await aNewsRecipient(shop))
      assert.match(address ?? '', /^<https:\/\/shops\.example\.com\/newsletter\/unsubscribe\/[\w-]{43}>$/)
      assert.equal(oneClick, 'List-Unsubscribe=One-Click')
    } finally {
      service.app.baseUrl = before
    }
  })

  test('that is of nobody says so, whatever it looks like', async () => {
    for (const kind of ['confirm', 'unsubscribe'])
      for (const token of ['x'.repeat(43), 'x', 'x%00', '%F0%9F%98%80', 'y'.repeat(1900)])
        for (const method of ['GET', 'POST']) {
          const answer = await service.call(method, `/newsletter/${kind}/${token}`, {
            headers: { accept: 'text/html' },
          })
          assert.equal(answer.status, 410, `${method} ${kind} ${token}`)
        }
  })
})

test('an address of the pages that does not work that way gets a page, for a browser', async () => {
  const wrong: [string, string, number][] = [
    ['DELETE', `/newsletter/unsubscribe/${'x'.repeat(43)}`, 405],
    ['PUT', `/newsletter/confirm/${'x'.repeat(43)}`, 405],
    ['GET', `/newsletter/confirm/${'x'.repeat(2001)}`, 414],
    ['GET', '/newsletter/confirm/%zz', 400],
    ['GET', '/newsletter/other', 404],
  ]
  for (const [method, path, status] of wrong) {
    const page = await service.call(method, path, { headers: { accept: 'text/html' } })
    assert.equal(page.status, status, `${method} ${path}`)
    assert.match(page.headers.get('content-type') ?? '', /^text\/html/, `${method} ${path}`)
    assert.match(page.text, /<h1>/)
    assert.ok(page.headers.get('content-security-policy'))
    if (status === 405) assert.equal(page.headers.get('allow'), 'GET, HEAD, POST')
    const json = await service.call(method, path)
    assert.deepEqual([json.status, json.body.error_code], [status, status], `${method} ${path}`)
  }
  const api = await service.call('GET', '/api/products/%zz.json', { headers: { accept: 'text/html' } })
  assert.deepEqual([api.status, api.body.reason], [400, 'url_malformed'])
})

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
