import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import { aFilm, aReader, aWritingShop, contentOf, mailsTo, mailTo, order, payBack } from '#test/mails.ts'

const server = useMailServer()
const service = useService({ smtpUrl: server.listening })

const pathOf = (kind: string, language = 'de') => `/api/mail_kinds/${kind}/${language}.json`

async function readTexts(shop: Shop, kind: string, language = 'de'): Promise<Wire> {
  const { texts } = (await shop.get(pathOf(kind, language))).body.mail_texts
  return Object.fromEntries(texts.map(({ name, ...text }: Wire) => [name, text]))
}

const write = (shop: Shop, kind: string, texts: object[], language = 'de') =>
  shop.put(pathOf(kind, language), { mail_texts: { texts } })

describe('the own texts of mails', () => {
  test('are read beside those of the service, with the variables that they can have', async () => {
    const shop = await service.openShop()
    const { subject, title } = await readTexts(shop, 'order_refund')
    assert.deepEqual(subject, {
      standard: 'Erstattung zu Ihrer Bestellung {order} bei {shop}',
      text: null,
      variables: ['order', 'shop'],
    })
    assert.deepEqual(title.variables, [])
    const { mail_kinds } = (await shop.get('/api/mail_kinds.json')).body
    assert.ok(mail_kinds.length > 15)
    assert.ok(mail_kinds.every(({ languages }: Wire) => languages.length === 6))
    for (const { kind, languages } of mail_kinds)
      for (const { language } of languages)
        assert.equal((await shop.get(pathOf(kind, language))).status, 200, `${kind} ${language}`)
  })

  test('are in the mails of their language, from then on, and in no other', async () => {
    const shop = await aWritingShop(service)
    const film = await aFilm(service, shop)
    const [karl, jane] = [await aReader(shop, { language: 'de' }), await aReader(shop, { language: 'en' })]
    const written = await write(shop, 'order_refund', [
      { name: 'subject', text: '{order}: Ihr Geld ist unterwegs' },
      { name: 'text', text: 'Wir haben {amount} erstattet.\n<b>Danke</b> für die Geduld.' },
    ])
    assert.equal(written.status, 200, written.text)
    for (const reader of [karl, jane]) {
      const sold = await order(shop, reader, [film])
      await payBack(shop, sold, { amount: 100 })
    }
    const refunds = (await mailsTo(service, server, karl.email)).map(contentOf)
    const mail = refunds.find(({ subject }) => /Ihr Geld ist unterwegs$/.test(subject))
    assert.ok(mail, refunds.map(({ subject }) => subject).join())
    assert.match(mail.text, /Wir haben 1,00 € erstattet\.\n<b>Danke<\/b> für die Geduld\./)
    // It is a text: what looks like HTML is shown as it was written, and its lines stay.
    assert.match(mail.html, /erstattet\.<br>&#60;b&#62;Danke/)
    const english = (await mailsTo(service, server, jane.email)).map(contentOf)
    assert.ok(english.some(({ subject }) => /^Refund for your order/.test(subject)))
  })

  test('are refused at their field if they name a variable that there is not, or are malformed', async () => {
    const shop = await service.openShop()
    const refused = await write(shop, 'order_refund', [
      { name: 'subject', text: 'Hallo {first_name}' },
      { name: 'title', text: 'Offen {' },
      { name: 'returned', text: 'Eins\nZwei' },
      { name: 'nothing', text: 'x' },
      { name: 'text', text: '{amount, plural, one {{secret}} other {x}}' },
    ])
    assert.equal(refused.status, 422)
    assert.deepEqual(Object.keys(refused.body.errors).sort(), [
      'texts[0].text',
      'texts[1].text',
      'texts[2].text',
      'texts[3].name',
      'texts[4].text',
    ])
    assert.match(refused.body.errors['texts[0].text'][0], /\{first_name\}.*\{order\}, \{shop\}/)
    assert.equal((await readTexts(shop, 'order_refund')).subject.text, null)
    for (const path of [pathOf('no_kind'), pathOf('gift', 'xx')]) assert.equal((await shop.get(path)).status, 404)
  })

  test('go back to those of the service, and are those of one company', async () => {
    const [shop, other] = [await service.openShop(), await service.openShop()]
    await write(shop, 'gift', [{ name: 'title', text: 'Für dich' }])
    assert.equal((await readTexts(shop, 'gift')).title.text, 'Für dich')
    assert.equal((await readTexts(other, 'gift')).title.text, null)
    const count = async () =>
      (await shop.get('/api/mail_kinds.json')).body.mail_kinds
        .find(({ kind }: Wire) => kind === 'gift')
        .languages.find(({ language }: Wire) => language === 'de').own_texts
    assert.equal(await count(), 1)
    await write(shop, 'gift', [{ name: 'title', text: null }])
    assert.deepEqual([(await readTexts(shop, 'gift')).title.text, await count()], [null, 0])
  })

  test('are not overwritten by somebody who has not seen them', async () => {
    const shop = await service.openShop()
    const etag = (await shop.get(pathOf('gift'))).headers.get('etag') ?? ''
    await write(shop, 'gift', [{ name: 'title', text: 'Eins' }])
    const body = { mail_texts: { texts: [{ name: 'title', text: 'Zwei' }] } }
    const late = await shop.put(pathOf('gift'), body, { 'if-match': etag })
    assert.deepEqual([late.status, late.body.reason], [412, 'document_changed'])
    assert.equal((await readTexts(shop, 'gift')).title.text, 'Eins')
  })

  test('that several kinds have in common are in all of them', async () => {
    const shop = await aWritingShop(service)
    await write(shop, 'common', [{ name: 'answer', text: 'Fragen? Rufen Sie an.' }])
    const karl = await aReader(shop, { language: 'de' })
    await order(shop, karl, [await aFilm(service, shop)])
    assert.match((await mailTo(service, server, karl.email)).text, /Fragen\? Rufen Sie an\./)
  })
})
