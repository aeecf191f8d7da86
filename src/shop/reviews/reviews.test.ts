import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { aCustomer } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder, setCompany } from '#test/orders.ts'
import { useShopPages } from '#test/shop-pages.ts'

const service = useService()
// Waits of a second would be over before the next request on a slow machine.
before(() => service.clock.stop())
const pages = useShopPages(service)

async function set(attributes: object): Promise<void> {
  const { id } = (await pages.shop.get('/api/themesettings.json')).body.ThemeSettings[0]
  const { status, text } = await pages.shop.put(`/api/themesettings/${id}.json`, { ThemeSetting: attributes })
  assert.equal(status, 200, text)
}

beforeEach(() => set({ allow_reviews: true, need_approval_of_reviews: true, allow_anonymous_reviews: true }))

/** A film, its page, and a customer who has bought it. */
async function aBoughtFilm() {
  const film = await aFilm(service, pages.shop, 1000, { title: 'The Last Ferry' })
  const customer = await aBuyer(pages.shop, 'DE', { first_name: 'Marta', last_name: 'Keller' })
  await anOrder(pages.shop, customer, [film])
  const visitor = await pages.signIn(customer.email)
  const page = `${pages.base}/products/${film.id}`
  const text = async () => (await pages.comeIn().get(page)).text
  const review = async (fields: Record<string, string>) => {
    await visitor.get(`${page}/review`)
    return visitor.submit(`${page}/review`, fields)
  }
  const last = async () => (await pages.shop.get('/api/reviews.json')).body.reviews.at(-1)
  const decide = async (state: string) => {
    const { id } = await last()
    const { status, text: answer } = await pages.shop.put(`/api/reviews/${id}.json`, { review: { state } })
    assert.equal(status, 200, answer)
  }
  return { film, customer, page, text, review, last, decide, visitor }
}

describe('a review', () => {
  test('is shown with its stars when the owner has approved it, and no longer when it is rejected', async () => {
    const { film, text, review, last, decide } = await aBoughtFilm()
    assert.equal((await review({ stars: '4', text: 'Calm & <b>true</b>.' })).status, 200)
    assert.doesNotMatch(await text(), /Calm/)
    const { id, ...said } = await last()
    assert.deepEqual([said.product_id, said.name, said.stars, said.state], [film.product_id, 'Marta K.', 4, 'waiting'])
    await decide('approved')
    const shown = await text()
    for (const words of ['Calm &amp; &lt;b&gt;true&lt;/b&gt;.', 'Marta K.', '4 of 5', '1 review'])
      assert.ok(shown.includes(words), words)
    assert.match(shown, /"aggregateRating":{"@type":"AggregateRating","ratingValue":"4.0","reviewCount":1}/)
    await decide('rejected')
    assert.doesNotMatch(await text(), /Calm/)
    assert.equal((await pages.shop.delete(`/api/reviews/${id}.json`)).status, 200)
    assert.equal((await pages.shop.get(`/api/reviews/${id}.json`)).status, 404)
  })

  test('is one for each customer and product, and a new one waits again', async () => {
    const { film, text, review, decide } = await aBoughtFilm()
    await review({ stars: '1', text: 'First thought.' })
    await decide('approved')
    await review({ stars: '5', text: 'Second thought.' })
    const count = await pages.shop.get(`/api/reviews/count.json?product_id=${film.product_id}`)
    assert.equal(count.body.count, 1)
    assert.doesNotMatch(await text(), /thought/)
    await decide('approved')
    assert.match(await text(), /Second thought/)
  })

  test('is for buyers, with one to five stars and a text', async () => {
    const { page, review } = await aBoughtFilm()
    for (const [fields, words] of [
      [{ stars: '6', text: 'x' }, 'Choose one to five stars.'],
      [{ stars: '3', text: '  ' }, 'Write a few words.'],
      [{ stars: '3', text: 'x'.repeat(5001) }, 'at most'],
    ] as const) {
      const { status, text } = await review(fields)
      assert.equal(status, 422)
      assert.ok(text.includes(words), words)
    }
    const stranger = await pages.signIn((await aCustomer(pages.shop)).email)
    assert.equal((await stranger.get(`${page}/review`)).status, 403)
    assert.equal((await stranger.post(`${page}/review`, { stars: '5', text: 'Good' })).status, 403)
    assert.equal((await pages.comeIn().get(`${page}/review`)).status, 303)
    await set({ allow_reviews: false })
    assert.equal((await stranger.get(`${page}/review`)).status, 404)
    await set({ allow_reviews: true })
  })

  test('can be without a name, and loses it with the customer', async () => {
    const { customer, text, review, last, decide } = await aBoughtFilm()
    await review({ stars: '5', text: 'Nobody knows me.', anonymous: '1' })
    assert.equal((await last()).name, '')
    await review({ stars: '5', text: 'Everybody knows me.', anonymous: '' })
    await decide('approved')
    assert.match(await text(), /Marta K\./)
    assert.equal((await pages.shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
    assert.doesNotMatch(await text(), /Marta/)
    assert.match(await text(), /A customer/)
    assert.deepEqual([(await last()).name, (await last()).customer_token], ['', null])
  })

  test('leaves no name behind that is sent while its customer is erased', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { customer, page, visitor } = await aBoughtFilm()
      const [erased] = await Promise.all([
        pages.shop.delete(`/api/customers/${customer.token}.json`),
        visitor.post(`${page}/review`, { stars: '5', text: 'Remember me.' }),
      ])
      assert.equal(erased.status, 200, erased.text)
    }
    const { reviews } = (await pages.shop.get('/api/reviews.json')).body
    const named = reviews.filter(({ text, name }: Wire) => text === 'Remember me.' && name !== '')
    assert.deepEqual(named, [])
  })

  test('that the owner has rejected is not shown again because its customer sends it again', async () => {
    await set({ need_approval_of_reviews: false })
    const { text, review, last, decide } = await aBoughtFilm()
    await review({ stars: '1', text: 'Buy watches at my shop.' })
    await decide('rejected')
    for (const words of ['Buy watches, please.', 'Watches!']) {
      const { text: thanks } = await review({ stars: '1', text: words })
      assert.match(thanks, /We read it, and then it appears/)
      assert.equal((await last()).state, 'waiting')
      assert.doesNotMatch(await text(), /watches/i)
    }
    await decide('approved')
    assert.match(await text(), /Watches!/)
    await review({ stars: '2', text: 'Better than I thought.' })
    assert.match(await text(), /Better than I thought/)
  })

  test('is taken so many times from one customer, and then after a wait', async () => {
    const { page, last, visitor } = await aBoughtFilm()
    const send = (number: number) => visitor.post(`${page}/review`, { stars: '5', text: `Thought ${number}.` })
    const answers = await Promise.all(Array.from({ length: 30 }, (_, number) => send(number)))
    const refused = answers.filter(({ status }) => status === 429)
    assert.equal(answers.filter(({ status }) => status === 200).length, 20)
    assert.equal(refused.length, 10)
    assert.match(refused[0]?.text ?? '', /role="alert"[^>]*>There were too many attempts/)
    assert.match(refused[0]?.text ?? '', /<textarea[^>]*>Thought \d+\.</)
    assert.ok(Number(refused[0]?.headers.get('retry-after')) > 0)
    service.clock.advance(2)
    assert.equal((await send(31)).status, 200)
    assert.equal((await last()).text, 'Thought 31.')
  })

  test('is mailed to the owner and shown at once, if the shop is set so', async () => {
    await setCompany(service, pages.shop, { email: 'owner@example.com' })
    await set({ need_approval_of_reviews: false, send_email_on_new_review: true })
    const { text, review } = await aBoughtFilm()
    await review({ stars: '2', text: 'Too slow.' })
    assert.match(await text(), /Too slow/)
    const mail = await pages.lastMailTo('owner@example.com')
    assert.match(mail.subject, /New review: The Last Ferry/)
    await set({ need_approval_of_reviews: true, send_email_on_new_review: false })
  })
})
