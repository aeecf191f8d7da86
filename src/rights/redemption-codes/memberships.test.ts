import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { listPeople } from '#test/audience.ts'
import { openCheckout } from '#test/checkout.ts'
import { aCustomer } from '#test/customers.ts'
import { assertBlames, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'
import { enterShop } from '#test/owned-content.ts'

const service = useService()

async function aGroup(shop: Shop, kind: string): Promise<Wire> {
  return (await shop.post('/api/groups.json', { group: { kind, title: 'Kino Club' } })).body.group
}

const make = (shop: Shop, redemption_code: object) => shop.post('/api/redemption_codes.json', { redemption_code })

async function aCode(shop: Shop, attributes: object): Promise<Wire> {
  const answer = await make(shop, attributes)
  assert.equal(answer.status, 201, answer.text)
  return answer.body.redemption_codes[0]
}

const redeem = (shop: Shop, { token }: Wire, { code }: Wire) =>
  shop.post(`/api/customers/${token}/redeem.json`, { redeem: { code } })

const topicsOf = async ({ companyId }: Shop, beginning: string) => {
  const events = await service.db.selectFrom('events').select('topic').where('company_id', '=', companyId).execute()
  return events.map(({ topic }) => topic).filter((topic) => topic.startsWith(beginning))
}

const inDays = (days: number) => new Date(service.clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 19)

describe('a code for a membership', () => {
  test('makes a subscriber for some days, and extends a subscription that ends earlier', async () => {
    const shop = await service.openShop()
    const group = await aGroup(shop, 'subscription')
    const jane = await aCustomer(shop)
    const code = await aCode(shop, { group_id: group.id.toUpperCase(), member_days: 30, uses: 2 })
    assert.deepEqual(
      [code.product_id, code.group_id, code.member_days, code.member_until, code.title],
      [null, group.id, 30, null, 'Kino Club'],
    )
    assert.deepEqual((await shop.get(`/api/redemption_codes/${code.id}.json`)).body.redemption_code, code)
    const answer = await redeem(shop, jane, code)
    assert.deepEqual([answer.status, answer.body], [201, { entitlements: [] }], answer.text)
    const [subscriber] = await listPeople(shop, 'subscriber')
    assert.equal(subscriber?.customer_token, jane.token)
    assert.deepEqual(await topicsOf(shop, 'subscriber'), ['subscriber/create'])
    const memberships = (await shop.get(`/api/customers/${jane.token}/memberships.json`)).body.memberships
    assert.deepEqual([memberships[0].group_id, memberships[0].state], [group.id, 'active'])
    const until = await aCode(shop, { group_id: group.id, member_until: '2099-06-01' })
    await redeem(shop, jane, until)
    assert.equal((await listPeople(shop, 'subscriber'))[0]?.ends_at, '2099-06-01T00:00:00')
    // The later end counts, and nothing changes.
    await redeem(shop, jane, code)
    const people = await listPeople(shop, 'subscriber')
    assert.deepEqual([people.length, people[0]?.ends_at], [1, '2099-06-01T00:00:00'])
    assert.deepEqual(await topicsOf(shop, 'subscriber'), ['subscriber/create', 'subscriber/update'])
    assertBlames(await redeem(shop, jane, code), ['code'])
  })

  test('makes a member of an access group without an end, also of somebody who would begin later', async () => {
    const shop = await service.openShop()
    const group = await aGroup(shop, 'access')
    const jane = await aCustomer(shop)
    const period = { start_at: inDays(10), end_at: inDays(20) }
    await shop.post('/api/groupmembers.json', {
      groupmember: { customer_token: jane.token, group_id: group.id, ...period },
    })
    await redeem(shop, jane, await aCode(shop, { group_id: group.id }))
    const [member, ...others] = await listPeople(shop, 'groupmember')
    assert.deepEqual([member?.state, member?.end_at, others.length], ['active', null, 0])
    assert.deepEqual(await topicsOf(shop, 'groupmember'), ['groupmember/create', 'groupmember/update'])
  })

  test('is redeemed once, also by two at the same time', async () => {
    const shop = await service.openShop()
    const group = await aGroup(shop, 'sharing')
    const customers = [await aCustomer(shop), await aCustomer(shop)]
    const code = await aCode(shop, { group_id: group.id, member_days: 1 })
    const answers = await Promise.all(customers.map((customer) => redeem(shop, customer, code)))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 422])
    assert.equal((await listPeople(shop, 'groupmember')).length, 1)
  })

  test('makes one member of somebody who redeems two codes at the same time', async () => {
    const shop = await service.openShop()
    const group = await aGroup(shop, 'subscription')
    const jane = await aCustomer(shop)
    const codes = [
      await aCode(shop, { group_id: group.id, member_until: '2098-01-01' }),
      await aCode(shop, { group_id: group.id, member_until: '2099-01-01' }),
    ]
    const answers = await Promise.all(codes.map((code) => redeem(shop, jane, code)))
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 201],
    )
    const people = await listPeople(shop, 'subscriber')
    assert.deepEqual([people.length, people[0]?.ends_at], [1, '2099-01-01T00:00:00'])
  })

  test('is redeemed in the shop, which says so, and why not while the group is closed', async () => {
    const at = await openCheckout(service)
    const group = await aGroup(at.shop, 'subscription')
    const code = await aCode(at.shop, { group_id: group.id, member_days: 30 })
    const jane = await enterShop(service, at.shop, at.base, await aCustomer(at.shop))
    await at.shop.put(`/api/groups/${group.id}.json`, { group: { valid: false } })
    await jane.get(`${at.base}/my-content`)
    const refused = await jane.submit(/redeem/, { code: code.code })
    assert.equal(refused.status, 422)
    assert.match(refused.text, /The code is for a membership that is closed\./)
    await at.shop.put(`/api/groups/${group.id}.json`, { group: { valid: true } })
    assert.match((await jane.follow(await jane.submit(/redeem/, { code: code.code }))).text, /The code was redeemed\./)
    assert.equal((await listPeople(at.shop, 'subscriber')).length, 1)
  })

  test('is not redeemed after its group was deleted, or after its last day', async () => {
    const shop = await service.openShop()
    const [gone, kept] = [await aGroup(shop, 'access'), await aGroup(shop, 'access')]
    const jane = await aCustomer(shop)
    const deleted = await aCode(shop, { group_id: gone.id })
    await shop.delete(`/api/groups/${gone.id}.json`)
    const answer = await redeem(shop, jane, deleted)
    assertBlames(answer, ['code'])
    assert.equal(answer.body.field_errors.code[0].reason, 'redemption_code_group_closed')
    const short = await aCode(shop, { group_id: kept.id, member_until: inDays(1) })
    await service.db
      .updateTable('redemption_codes')
      .set({ member_until: new Date(service.clock.now().getTime() - 60_000) })
      .where('id', '=', short.id)
      .execute()
    assert.equal((await shop.get(`/api/redemption_codes/${short.id}.json`)).body.redemption_code.state, 'expired')
    assertBlames(await redeem(shop, jane, short), ['code'])
    assert.deepEqual(await listPeople(shop, 'groupmember'), [])
  })

  test('is mailed with how long the membership lasts', async () => {
    const shop = await service.openShop()
    const group = await aGroup(shop, 'subscription')
    const code = await aCode(shop, { group_id: group.id, member_days: 30 })
    const gift = { email: 'lena@example.com', language: 'en' }
    assert.equal((await shop.post(`/api/redemption_codes/${code.id}/gift.json`, { gift })).status, 201)
    await service.runJobs()
    const mail = await service.db
      .selectFrom('mails')
      .select('text')
      .where('company_id', '=', shop.companyId)
      .executeTakeFirstOrThrow()
    assert.match(mail.text ?? '', /Kino Club\nYou are a member for 30 days\./)
    assert.doesNotMatch(mail.text ?? '', /Yours to keep/)
  })

  test('is refused with the field that is wrong', async () => {
    const [shop, stranger] = [await service.openShop(), await service.openShop()]
    const group = await aGroup(shop, 'access')
    const refused: [string, object][] = [
      ['product_id', {}],
      ['group_id', { group_id: 'c987' }],
      ['group_id', { group_id: 'c-1' }],
      ['group_id', { group_id: group.id, product_id: 'B0000-0001' }],
      ['member_days', { group_id: group.id, member_days: 0 }],
      ['member_days', { group_id: group.id, member_days: 3, member_until: '2099-01-01' }],
      ['member_until', { group_id: group.id, member_until: '2001-01-01' }],
      ['member_until', { product_id: 'B0000-0001', member_until: '2099-01-01' }],
    ]
    for (const [field, attributes] of refused) assertBlames(await make(shop, attributes), [field])
    assertBlames(await make(stranger, { group_id: group.id }), ['group_id'])
    assert.equal((await shop.get('/api/redemption_codes/count.json')).body.count, 0)
  })
})
