import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import { aBook, aFilm, aReader, aWritingShop, mailsTo, order } from '#test/mails.ts'

const server = useMailServer()
const service = useService({ smtpUrl: server.listening })

const preview = (shop: Shop, kind: string, input: object = {}, language = 'de') =>
  shop.post(`/api/mail_kinds/${kind}/${language}/preview.json`, { preview: input })
const sendTest = (shop: Shop, kind: string, input: object = {}) =>
  shop.post(`/api/mail_kinds/${kind}/de/test.json`, { preview: input })

async function aSellingShop(): Promise<{ shop: Shop; sold: Wire; film: Wire; jane: Wire }> {
  const shop = await aWritingShop(service)
  const film = await aFilm(service, shop)
  const jane = await aReader(shop, { language: 'en', first_name: 'Jane' })
  return { shop, film, jane, sold: await order(shop, jane, [film]) }
}

describe('POST /api/mail_kinds/{kind}/{language}/preview.json', () => {
  test('shows every kind in every language as its customers get it, and sends nothing', async () => {
    const { shop, sold } = await aSellingShop()
    const { mail_kinds } = (await shop.get('/api/mail_kinds.json')).body
    for (const { kind, languages } of mail_kinds)
      for (const { language } of languages) {
        const answer = await preview(shop, kind, {}, language)
        assert.equal(answer.status, 200, `${kind} ${language}: ${answer.text}`)
        const { subject, html, text } = answer.body.preview
        assert.ok(subject !== '' && text !== '' && html.includes(`<html lang="${language}"`), `${kind} ${language}`)
        // Nobody gets to the order of the customer with what a preview shows.
        const { checkout_token } = await service.db
          .selectFrom('orders')
          .select('checkout_token')
          .where('id', '=', sold.id)
          .executeTakeFirstOrThrow()
        assert.ok(!html.includes(String(checkout_token)), kind)
      }
    const { mails } = (await shop.get('/api/mails.json')).body
    assert.deepEqual(mails, [])
  })

  test('has the order that it is asked for, and texts that are not saved', async () => {
    const { shop, film, jane } = await aSellingShop()
    const second = await order(shop, jane, [film, await aBook(service, shop)])
    const texts = [{ name: 'subject', text: 'Bestellung {order} ist da' }]
    const shown = (await preview(shop, 'order_confirmation', { order_id: second.id, texts })).body.preview
    assert.deepEqual([shown.subject, shown.order_id], [`Bestellung #${second.id} ist da`, second.id])
    assert.match((await preview(shop, 'order_confirmation')).body.preview.subject, /^Ihre Bestellung/)
    const wrong = await preview(shop, 'order_confirmation', { texts: [{ name: 'subject', text: '{nobody}' }] })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['texts[0].text']])
    const stranger = await service.openShop()
    assert.equal((await preview(stranger, 'order_confirmation', { order_id: second.id })).status, 404)
    const without = await preview(stranger, 'order_confirmation')
    assert.deepEqual([without.status, without.body.reason], [409, 'mail_preview_without_order'])
  })
})

describe('POST /api/mail_kinds/{kind}/{language}/test.json', () => {
  test('goes to the user who asks and to nobody else, and not too often', async () => {
    const { shop } = await aSellingShop()
    const { email } = (await shop.get(`/api/users/${shop.userId}.json`)).body.user
    const sent = await sendTest(shop, 'order_shipment', { texts: [{ name: 'subject', text: 'Probe {order}' }] })
    assert.deepEqual([sent.status, sent.body.test], [200, { recipient: email }], sent.text)
    const [mail] = await mailsTo(service, server, email)
    assert.match(mail?.email.subject ?? '', /Probe #\d+/)
    const answers = await Promise.all(Array.from({ length: 12 }, () => sendTest(shop, 'sign_in')))
    assert.equal(answers.filter(({ status }) => status === 200).length, 9)
    const refused = answers.find(({ status }) => status === 429)
    assert.equal(refused?.body.reason, 'too_many_test_mails')
    service.clock.advance(3601)
    assert.equal((await sendTest(await shop.asUser(shop.userId), 'sign_in')).status, 200)
  })
})

describe('the mails of a company', () => {
  test('are listed with what became of them, and one that failed is sent again', async () => {
    const shop = await aWritingShop(service)
    const [film, jane] = [await aFilm(service, shop), await aReader(shop)]
    server.refuseRecipient = (address) =>
      address.toLowerCase() === jane.email.toLowerCase() ? { code: 550, text: 'No such mailbox' } : undefined
    await order(shop, jane, [film])
    await service.runJobs()
    const list = async (query = '') => (await shop.get(`/api/mails.json${query}`)).body.mails
    const [failed] = await list('?state=failed')
    assert.deepEqual([failed.recipient, failed.state], [jane.email, 'failed'])
    assert.match(failed.last_error, /No such mailbox/)
    assert.deepEqual(await list('?state=sent'), [])
    const { refused_recipients } = (await shop.get('/api/mails/refused_recipients.json')).body
    assert.deepEqual(
      refused_recipients.map(({ recipient, count }: Wire) => [recipient, count >= 1]),
      [[jane.email.toLowerCase(), true]],
    )
    const whole = (await shop.get(`/api/mails/${failed.id}.json`)).body.mail
    assert.match(whole.html, /<html/)
    server.refuseRecipient = () => undefined
    const again = await shop.post(`/api/mails/${failed.id}/retry.json`)
    assert.deepEqual([again.status, again.body.mail.state], [200, 'waiting'], again.text)
    await service.runJobs()
    assert.equal((await shop.get(`/api/mails/${failed.id}.json`)).body.mail.state, 'sent')
    const twice = await shop.post(`/api/mails/${failed.id}/retry.json`)
    assert.deepEqual([twice.status, twice.body.reason], [409, 'mail_not_failed'])
  })

  test('are not shown to another company', async () => {
    const { shop } = await aSellingShop()
    await service.runJobs()
    const [mail] = (await shop.get('/api/mails.json')).body.mails
    const stranger = await service.openShop()
    assert.deepEqual((await stranger.get('/api/mails.json')).body.mails, [])
    assert.equal((await stranger.get(`/api/mails/${mail.id}.json`)).status, 404)
    assert.equal((await stranger.post(`/api/mails/${mail.id}/retry.json`)).status, 404)
  })
})
