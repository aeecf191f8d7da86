import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '#test/harness.ts'
import { aBuyer } from '#test/orders.ts'
import { useShopPages } from '#test/shop-pages.ts'
import { anOpenClub, aPlan, headingOf } from '#test/sign-ups.ts'

const service = useService()
const pages = useShopPages(service)

const statusOf = async (path: string) => (await pages.comeIn().get(path)).status

describe('the page of a membership', () => {
  test('says what is included, what each plan costs, and when it is paid next', async () => {
    const { shop, base } = pages
    const { group, plan, film, path } = await anOpenClub(service, shop, base, { trial_days: 7 })
    const limited = { title: 'Half a year', interval_count: 6, renewals: 1, minimum_periods: 2 }
    await aPlan(shop, { group_id: group.id, price_id: plan.price_id, ...limited })
    const { text, status } = await pages.comeIn().get(path)
    assert.equal(status, 200)
    assert.equal(headingOf({ text }), 'Kino Club')
    assert.ok(text.includes(film.title))
    assert.match(text, /€7\.90 <small>a month, 7 days free/)
    assert.match(text, /every 6 months/)
    assert.match(text, /Renews once and ends on/)
    assert.match(text, /Minimum term until/)
    assert.match(text, /How do I cancel\?/)
    assert.equal(await statusOf(`${base}/memberships/${group.id}`), 200, 'the words of the address decide nothing')
  })

  test('is in the sitemap, on the home page, and beside the offers of products', async () => {
    const { shop, base } = pages
    const { group, film } = await anOpenClub(service, shop, base, { trial_days: 7 })
    const guest = pages.comeIn()
    assert.ok((await guest.get(`${base}/sitemap.xml`)).text.includes(`/memberships/${group.id}-kino-club<`))
    const home = (await guest.get(`${base}/`)).text
    const link = `${base}/memberships/${group.id}-kino-club`
    assert.match(home, /<h2 id="clubs">Memberships<[\s\S]*€7\.90 a month[\s\S]*7 days free/)
    assert.ok(home.includes(`href="${link}"`))
    const product = (await guest.get(`${base}/products/${film.id}`)).text
    assert.match(product, /plan-offer[\s\S]*€7\.90 a month[\s\S]*7 days free[\s\S]*See Kino Club/)
  })

  test('of a closed group, of one without a plan to sign up to, and of another kind is found by the owner alone', async () => {
    const { shop, base } = pages
    const { group, plan, film, path } = await anOpenClub(service, shop, base)
    const access = (await shop.post('/api/groups.json', { group: { kind: 'access', title: 'Press' } })).body.group
    assert.equal(await statusOf(`${base}/memberships/${access.id}`), 404)
    assert.equal(await statusOf(`${path}/preview`), 404)
    await shop.put(`/api/plans/${plan.id}.json`, { plan: { valid: false } })
    assert.equal(await statusOf(path), 404)
    const guest = pages.comeIn()
    assert.ok(!(await guest.get(`${base}/products/${film.id}`)).text.includes('plan-offer'))
    assert.ok(!(await guest.get(`${base}/`)).text.includes(`/memberships/${group.id}-`))
    assert.ok(!(await guest.get(`${base}/sitemap.xml`)).text.includes(`/memberships/${group.id}-`))
    await shop.put(`/api/plans/${plan.id}.json`, { plan: { valid: true } })
    assert.equal(await statusOf(path), 200)
    await shop.put(`/api/groups/${group.id}.json`, { group: { valid: false } })
    assert.equal(await statusOf(path), 404)
  })

  test('leads a subscriber to what is included, and offers no second trial', async () => {
    const { shop, base } = pages
    const { group, plan, path } = await anOpenClub(service, shop, base, { trial_days: 7 })
    const customer = await aBuyer(shop)
    const { body } = await shop.post('/api/subscriptions.json', {
      subscription: { plan_id: plan.id, customer_token: customer.token, paid: true },
    })
    const visitor = await pages.signIn(customer.email)
    const member = await visitor.get(path)
    assert.match(member.text, /You are a member of Kino Club/)
    assert.ok(member.text.includes(`${base}/my-content/memberships/${group.id}`))
    assert.ok(!member.text.includes('name="plan"'))
    await shop.post(`/api/subscriptions/${body.subscription.id}/cancel.json?at=now`)
    const former = await visitor.get(path)
    assert.match(former.text, /You have been a member before/)
    assert.ok(!former.text.includes('7 days free'))
  })
})
