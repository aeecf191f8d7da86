import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type OpenShop, openCheckout, pay, put, tell } from '#test/checkout.ts'
import { aCustomer, anEmail } from '#test/customers.ts'
import { proveDomains } from '#test/domains.ts'
import type { Wire } from '#test/factories.ts'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { enterShop } from '#test/owned-content.ts'
import { someVideo, upload } from '#test/uploads.ts'

const service = useService()

/** A guest has bought a film, and got the mail. */
async function bought(at: OpenShop, film: Wire) {
  const guest = at.guest()
  const email = anEmail()
  await put(guest, at.base, film)
  await tell(guest, at.base, { email })
  await pay(guest, at.base, { now: '1' })
  await service.runJobs()
  const { text } = await service.db
    .selectFrom('mails')
    .select('text')
    .where('recipient', '=', email)
    .executeTakeFirstOrThrow()
  const link = /^Watch now:\n(\S+)$/m.exec(text ?? '')?.[1] ?? ''
  return { guest, email, link, path: link.slice(link.indexOf(at.base)) }
}

async function aPlayableFilm(at: OpenShop): Promise<Wire> {
  const film = await aFilm(service, at.shop)
  await upload(service, at.shop, film, someVideo(), { name: 'film.mp4', role: 'main_sd' })
  return film
}

describe('the button in the mail of an order', () => {
  test('leads to the film itself, and lets in the guest who bought it in this browser', async () => {
    const at = await openCheckout(service)
    const { guest, link, path } = await bought(at, await aPlayableFilm(at))
    assert.match(link, new RegExp(`^https://licet.example${at.base}/my-content/\\d+/open\\?token=\\d+-[\\w-]+$`))
    const opened = await guest.get(path)
    assert.match(opened.location ?? '', new RegExp(`^${at.base}/my-content/\\d+/play$`))
    assert.match((await guest.follow(opened)).text, /<button class="play">/)
  })

  test('asks for one press on another device, with the address filled in, and then leads to the film', async () => {
    const at = await openCheckout(service)
    const { email, path } = await bought(at, await aPlayableFilm(at))
    const elsewhere = at.guest()
    const asked = await elsewhere.follow(await elsewhere.get(path))
    assert.match(asked.text, new RegExp(`name="email"[^>]* value="${email}"`))
    assert.doesNotMatch(asked.text, /type="password"/)
    const sent = await elsewhere.submit(`${at.base}/login`, { decision: 'link' })
    assert.match(sent.text, /Check your/)
    await service.runJobs()
    const { text } = await service.db
      .selectFrom('mails')
      .select('text')
      .where('recipient', '=', email)
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow()
    const login = new RegExp(`${at.base}/login/[\\w-]{43}`).exec(text ?? '')?.[0] ?? ''
    await elsewhere.get(login)
    const film = await elsewhere.follow(await elsewhere.submit(login))
    assert.match(film.text, /<button class="play">/)
  })

  test('says nothing of the buyer to somebody whose link names no order, or another one', async () => {
    const at = await openCheckout(service)
    const { email, path } = await bought(at, await aPlayableFilm(at))
    const [plain = '', order = ''] = path.split('?token=')
    for (const address of [plain, `${plain}?token=${order.slice(0, -3)}abc`, `${plain}?token=1-x`]) {
      const stranger = at.guest()
      const asked = await stranger.follow(await stranger.get(address))
      assert.ok(!asked.text.includes(email), address)
      assert.match(asked.text, /type="password"/)
    }
    const other = await enterShop(service, at.shop, at.base, await aCustomer(at.shop))
    assert.equal((await other.get(path)).status, 404)
  })

  test('leads to the page of something that has nothing to play or to read', async () => {
    const at = await openCheckout(service)
    const { guest, path } = await bought(at, await aFilm(service, at.shop))
    assert.match((await guest.get(path)).location ?? '', /\/my-content\/\d+$/)
  })

  test('is on the domain of the shop, or on that of My Content', async () => {
    const at = await openCheckout(service)
    const film = await aFilm(service, at.shop)
    const setShop = (ThemeSetting: object) => at.shop.put(`/api/themesettings/${at.id}.json`, { ThemeSetting })
    const originOf = async () => new URL((await bought(at, film)).link).hostname
    await setShop({ shop_domain: 'films.example.com' })
    assert.equal(await originOf(), 'licet.example')
    await proveDomains(service, at.shop, 'films.example.com')
    assert.equal(await originOf(), 'films.example.com')
    await setShop({ access_domain: 'my.films.example.com' })
    await proveDomains(service, at.shop, 'films.example.com', 'my.films.example.com')
    assert.equal(await originOf(), 'my.films.example.com')
  })
})
