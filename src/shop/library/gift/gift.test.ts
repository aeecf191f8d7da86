import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { heading, type OpenShop, openCheckout, pay, put, tell } from '#test/checkout.ts'
import { aCustomer, anEmail } from '#test/customers.ts'
import { usePictureHost, type Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { enterShop } from '#test/owned-content.ts'
import { someVideo, upload } from '#test/uploads.ts'
import type { Visitor } from '#test/visitor.ts'

const service = useService()
const pictures = usePictureHost()

async function lastMail(email: string) {
  await service.runJobs()
  return service.db
    .selectFrom('mails')
    .select(['subject', 'text', 'html'])
    .where('recipient', '=', email)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirstOrThrow()
}

const GREETING = 'Dear Lena,\nhappy birthday.\n\nMarta'

/** Somebody buys a film as a gift. */
async function give(at: OpenShop, details: Record<string, string> = {}) {
  const film: Wire = await aFilm(service, at.shop, 1190, { images: [{ src: pictures.url('/film.png') }] })
  await upload(service, at.shop, film, someVideo(), { name: 'film.mp4', role: 'main_sd' })
  await service.runJobs()
  const gift_email = anEmail()
  const guest = at.guest()
  await put(guest, at.base, film)
  const gift = { is_gift: '1', gift_email, gift_from: 'Marta Keller', gift_message: GREETING, ...details }
  await tell(guest, at.base, { email: anEmail(), ...gift })
  assert.equal(heading(await pay(guest, at.base)), 'Thank you for your purchase')
  const mail = await lastMail(gift_email)
  const [, link = ''] = /^Open your gift:\n(\S+)$/m.exec(mail.text ?? '') ?? []
  return { film, email: gift_email, mail, path: link.slice(link.indexOf(at.base)) }
}

async function followLink(at: OpenShop, visitor: Visitor, email: string) {
  const { text } = await lastMail(email)
  const login = new RegExp(`${at.base}/login/[\\w-]{43}`).exec(text ?? '')?.[0] ?? ''
  await visitor.get(login)
  return visitor.follow(await visitor.submit(login))
}

describe('a gift mail', () => {
  test('says who gives what, with the greeting as a card, the picture, and one button', async () => {
    const at = await openCheckout(service)
    const { mail, film } = await give(at)
    assert.equal(mail.subject, 'Marta Keller has a gift for you')
    assert.match(mail.html ?? '', /<h1[^>]*>Marta Keller sent you a film</)
    assert.match(mail.html ?? '', /class="tint"[^>]*>Dear Lena,<br>happy birthday\.<br><br>Marta</)
    assert.match(mail.html ?? '', /<img src="[^"]+_336\.png" alt="" width="112"/)
    assert.equal(mail.html?.match(/class="cta"/g)?.length, 1)
    assert.match(mail.text ?? '', new RegExp(`^${film.title}\nYours to keep\\.`, 'm'))
    assert.match(mail.text ?? '', /^> Dear Lena,\n> happy birthday\.\n>\n> Marta$/m)
  })
})

describe('the page of a gift', () => {
  test('asks for an email address only, and mails a link that leads to the film', async () => {
    const at = await openCheckout(service)
    const { film, email, path } = await give(at)
    const lena = at.guest()
    const page = await lena.get(path)
    assert.equal(page.status, 200, page.text)
    for (const words of ['A gift from Marta Keller', film.title, 'Dear Lena,<br>happy birthday.<br><br>Marta'])
      assert.ok(page.text.includes(words), words)
    const form = /<form method="post" action="[^"]*\/gifts\/[\s\S]*?<\/form>/.exec(page.text)?.[0] ?? ''
    assert.deepEqual(form.match(/ name="[^"]+"/g), [' name="email"'])
    assert.ok(form.includes(`value="${email}"`))
    const sent = await lena.submit(/\/gifts\//)
    assert.match(sent.text, /Check your/)
    assert.match((await followLink(at, lena, email)).text, /<button class="play">/)
    const again = await at.guest().get(path)
    assert.equal(again.status, 410)
    assert.match(again.text, /accepted already/)
  })

  test('keeps the gift until the link was followed, if the address is another one', async () => {
    const at = await openCheckout(service)
    const { path } = await give(at)
    const lena = at.guest()
    const email = anEmail()
    await lena.get(path)
    await lena.submit(/\/gifts\//, { email })
    assert.equal((await at.guest().get(path)).status, 200)
    const page = await followLink(at, lena, email)
    assert.match(page.text, /A gift from Marta Keller/)
    assert.doesNotMatch(page.text, /name="email"/)
    assert.match((await lena.follow(await lena.submit(/\/gifts\//))).text, /<button class="play">/)
  })

  test('says what is wrong with an address, and gives nothing away', async () => {
    const at = await openCheckout(service)
    const { path } = await give(at)
    const lena = at.guest()
    await lena.get(path)
    const wrong = await lena.submit(/\/gifts\//, { email: 'lena' })
    assert.equal(wrong.status, 422)
    assert.match(wrong.text, /id="email-error"|aria-invalid="true"/)
    assert.equal((await at.guest().get(path)).status, 200)
    for (const other of [`${path.slice(0, -3)}abc`, path.replace(/gifts\/\d+/, 'gifts/9999')])
      assert.equal((await at.guest().get(other)).status, 404)
    const stranger = await openCheckout(service)
    assert.equal((await stranger.guest().get(path.replace(at.base, stranger.base))).status, 404)
  })

  test('gives it to somebody who is signed in without asking for anything', async () => {
    const at = await openCheckout(service)
    const { path } = await give(at)
    const lena = await enterShop(service, at.shop, at.base, await aCustomer(at.shop))
    const page = await lena.get(path)
    assert.doesNotMatch(page.text, /name="email"/)
    assert.match((await lena.follow(await lena.submit(/\/gifts\//))).text, /<button class="play">/)
  })
})
