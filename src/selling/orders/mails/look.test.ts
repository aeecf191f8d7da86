import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { usePictureHost } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { useMailServer } from '#test/mail-server.ts'
import { aBook, aFilm, aReader, aWritingShop, contentOf, mailsTo, mailTo, order, payBack, ship } from '#test/mails.ts'

const server = useMailServer()
const pictures = usePictureHost()
const service = useService({ smtpUrl: server.listening })

beforeEach(() => {
  server.received.length = 0
})

/** A shop that its owner has given a colour and a picture. */
async function aColouredShop(more: object = {}): Promise<Shop> {
  const shop = await aWritingShop(service)
  const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const answer = await shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: { accent_color: '#7b2d72', ...more } })
  assert.equal(answer.status, 200, answer.text)
  return shop
}

describe('mails about an order', () => {
  test('have the colour of the shop everywhere, and that of the service nowhere', async () => {
    const shop = await aColouredShop()
    const jane = await aReader(shop)
    const bought = await order(shop, jane, [await aFilm(service, shop), await aBook(service, shop)])
    await ship(service, shop, bought)
    await payBack(shop, bought, { amount: 100 })
    const mails = (await mailsTo(service, server, jane.email)).map(contentOf)
    assert.equal(mails.length, 3)
    for (const { html, subject } of mails) {
      assert.match(html, /#7b2d72/, subject)
      assert.doesNotMatch(html, /#0b6b57|#5fd0b5/, subject)
    }
    const [{ html } = { html: '' }] = mails
    for (const [link] of html.matchAll(/<a [^>]*>/g)) assert.match(link, /(background|color):#7b2d72/, link)
  })

  test('have the picture of the shop, or its initial', async () => {
    const shop = await aColouredShop({ shop_icon: pictures.url('/film.png') })
    await service.runJobs()
    const jane = await aReader(shop)
    await order(shop, jane, [await aFilm(service, shop)])
    const [, source = ''] =
      /<img src="([^"]+)" alt="" width="28"/.exec((await mailTo(service, server, jane.email)).html) ?? []
    const answer = await fetch(`${service.url}${new URL(source).pathname}`)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
    const plain = await aWritingShop(service)
    const joe = await aReader(plain)
    await order(plain, joe, [await aFilm(service, plain)])
    assert.match((await mailTo(service, server, joe.email)).html, /class="tile"[^>]*>S</)
  })

  test('lead with the picture of a film that is as wide as a screen', async () => {
    const shop = await aColouredShop()
    const film = await aFilm(service, shop, { images: [{ src: pictures.url('/wide.png') }] })
    const jane = await aReader(shop)
    await service.runJobs()
    await order(shop, jane, [film])
    const { html } = await mailTo(service, server, jane.email)
    assert.match(html, /<img src="[^"]+_1200\.png" alt="" width="598"/)
    assert.match(html, /<img src="[^"]+_112\.png" alt="" width="56"/)
  })

  test('that have only goods lead to the page of the order', async () => {
    const shop = await aColouredShop()
    const jane = await aReader(shop)
    const { id } = await order(shop, jane, [await aBook(service, shop)])
    const { text } = await mailTo(service, server, jane.email)
    const [, link = ''] = /^Track your order:\n(\S+)$/m.exec(text) ?? []
    const page = await fetch(`${service.url}${new URL(link).pathname}`)
    assert.equal(page.status, 200)
    assert.match(await page.text(), new RegExp(`Order #${id}`))
    assert.ok(text.includes(`View your receipt:\n${link}`))
  })

  test('name every further thing that is ready, and My Content if there are many', async () => {
    const shop = await aColouredShop()
    const jane = await aReader(shop)
    const films = []
    for (let index = 1; index <= 6; index += 1) films.push(await aFilm(service, shop, { title: `Film ${index}` }))
    await order(shop, jane, films.slice(0, 2))
    const two = await mailTo(service, server, jane.email)
    assert.match(two.text, /^Film 2 is ready too\. Watch now:\n\S+\/my-content\/\d+\/open\?token=/m)
    assert.doesNotMatch(two.text, /Open My Content/)
    const joe = await aReader(shop)
    await order(shop, joe, films)
    const { text } = await mailTo(service, server, joe.email)
    assert.equal(text.match(/ is ready too/g)?.length, 3)
    assert.match(text, /^Everything that you bought is ready\. Open My Content:\n\S+\/my-content\?token=\S+$/m)
  })
})
