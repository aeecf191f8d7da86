import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { aCustomer, anEmail } from '#test/customers.ts'
import type { Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { nameShop } from '#test/mails.ts'
import { aFilm } from '#test/orders.ts'
import { mailsTo } from '#test/users.ts'

const service = useService()
const DAY_SECONDS = 86_400

async function scene(uses = 1) {
  const shop = await service.openShop()
  await nameShop(shop, [{ language_id: 1, shop_name: 'Films & More' }])
  const film = await aFilm(service, shop, 1190, { title: 'The Long Way Home' })
  const { body } = await shop.post('/api/redemption_codes.json', {
    redemption_code: { product_id: film.product_id, uses },
  })
  const code: Wire = body.redemption_codes[0]
  return { shop, code, path: `/api/redemption_codes/${code.id}` }
}

const give = (shop: Shop, path: string, gift: object) => shop.post(`${path}/gift.json`, { gift })
const inDays = (days: number) =>
  new Date(service.clock.now().getTime() + days * DAY_SECONDS * 1000).toISOString().slice(0, 19)

describe('a gift', () => {
  test('is mailed at its time, from the shop, in the chosen language', async () => {
    const { shop, code, path } = await scene()
    const { id } = (await shop.get('/api/themesettings.json')).body.ThemeSettings[0]
    const email = anEmail()
    const gift = { email, name: 'Jané', message: 'Happy birthday!\nYours', send_at: inDays(2), language: 'de' }
    const answer = await give(shop, path, gift)
    assert.equal(answer.status, 201, answer.text)
    assert.equal(answer.body.redemption_code.gift.sent_at, null)
    await service.runJobs()
    assert.deepEqual(await mailsTo(service, email), [])
    service.clock.advance(2 * DAY_SECONDS + 1)
    await service.runJobs()
    const [mail, ...more] = await mailsTo(service, email)
    assert.deepEqual(more, [])
    assert.equal(mail?.subject, 'Ein Geschenk für Sie von Films & More')
    assert.equal(mail?.sender_name, 'Films & More')
    for (const words of ['Guten Tag, Jané', 'The Long Way Home', '> Happy birthday!\n> Yours', code.code])
      assert.ok(mail?.text?.includes(words), `${words}: ${mail?.text}`)
    assert.ok(mail?.html?.includes(code.code))
    // A greeting is no warning: it keeps its lines, in a card of its own.
    assert.match(mail?.html ?? '', /class="tint"[^>]*>Happy birthday!<br>Yours</)
    assert.doesNotMatch(mail?.html ?? '', /dashed/)
    // Whoever gets a gift may never have heard of the shop.
    const address = `/shop/${id}/gifts/\\d+-[\\w-]{22}`
    assert.match(mail?.text ?? '', new RegExp(`Geschenk öffnen:\\nhttps?://[^\\s]+${address}`))
    assert.match(mail?.html ?? '', new RegExp(`href="https?://[^"]+${address}"`))
    const later = await shop.withScopes('customers')
    const { body } = await later.get(`${path}.json`)
    assert.notEqual(body.redemption_code.gift.sent_at, null)
  })

  test('can be called back before it is sent, and then given to another', async () => {
    const { shop, path } = await scene()
    const [first, second] = [anEmail(), anEmail()]
    await give(shop, path, { email: first, send_at: inDays(1) })
    const twice = await give(shop, path, { email: second })
    assert.equal(twice.body.reason, 'redemption_gift_waiting')
    assert.equal((await shop.post(`${path}/call_back.json`)).status, 200)
    assert.equal((await shop.post(`${path}/call_back.json`)).body.reason, 'redemption_gift_not_found')
    assert.equal((await give(shop, path, { email: second })).status, 201)
    service.clock.advance(DAY_SECONDS + 1)
    await service.runJobs()
    assert.deepEqual(await mailsTo(service, first), [])
    assert.equal((await mailsTo(service, second))[0]?.subject, 'A gift for you from Films & More')
  })

  test('goes to no more people than can redeem the code', async () => {
    const { shop, path } = await scene()
    const email = anEmail()
    assert.equal((await give(shop, path, { email })).status, 201)
    await service.runJobs()
    const second = await give(shop, path, { email: anEmail() })
    assert.deepEqual([second.status, second.body.reason], [409, 'redemption_code_given_away'])
    // The mail may have been lost.
    assert.equal((await give(shop, path, { email: email.toUpperCase() })).status, 201)
    await service.runJobs()
    assert.equal((await mailsTo(service, email)).length + (await mailsTo(service, email.toUpperCase())).length, 2)
  })

  test('is mailed to one person a few times, and not again and again', async () => {
    const { shop, path } = await scene()
    const email = anEmail()
    const statuses: number[] = []
    service.clock.stop()
    for (let count = 0; count < 7; count += 1) {
      const { status } = await give(shop, path, { email })
      statuses.push(status)
      await service.runJobs()
    }
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429, 429])
    assert.equal((await mailsTo(service, email)).length, 5)
  })

  test('of a code with several uses goes to one person for each, whether they redeem it or not', async () => {
    const { shop, code, path } = await scene(3)
    const customer = await aCustomer(shop)
    const redeem = () => shop.post(`/api/customers/${customer.token}/redeem.json`, { redeem: { code: code.code } })
    const given = async () => {
      const { status } = await give(shop, path, { email: anEmail() })
      await service.runJobs()
      return status
    }
    // One that somebody redeems without a gift is one less to give.
    assert.equal((await redeem()).status, 201)
    assert.equal(await given(), 201)
    service.clock.advance(1)
    assert.equal((await redeem()).status, 201)
    assert.equal(await given(), 201)
    assert.equal(await given(), 409)
  })

  test('of a code that has ended is not sent', async () => {
    const { shop, path } = await scene()
    const email = anEmail()
    await give(shop, path, { email, send_at: inDays(1) })
    await shop.delete(`${path}.json`)
    service.clock.advance(DAY_SECONDS + 1)
    await service.runJobs()
    assert.deepEqual(await mailsTo(service, email), [])
    const later = await shop.withScopes('customers')
    assert.equal((await give(later, path, { email })).body.reason, 'redemption_code_not_givable')
    const stranger = await service.openShop()
    assert.equal((await give(stranger, path, { email })).status, 404)
  })
})
