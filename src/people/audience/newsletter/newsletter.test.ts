import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { tokenHash } from '#platform/identity/crypto.ts'
import { addPerson, aNewsRecipient, changePerson, listPeople, readPerson } from '#test/audience.ts'
import { aCustomer, anEmail } from '#test/customers.ts'
import { aThemeSetting, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import { aWritingShop, mailsTo, mailTo, nameShop } from '#test/mails.ts'
import { newsletterOf } from '#test/newsletter.ts'
import { visit } from '#test/visitor.ts'
import { deleteUnconfirmed } from '../news-recipients/commands.ts'
import { deleteOldConfirmations } from './commands.ts'

const server = useMailServer()
const service = useService({ smtpUrl: server.listening })

beforeEach(() => {
  server.received.length = 0
})

const { linksTo, stateOf, topicsOf, aConfirmedRecipient } = newsletterOf(service, server)
const DAY = 86_400

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
