import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { rebuild } from '#program/rebuild.ts'
import { type Audience, addPerson, aPerson, changePerson, listPeople, readPerson } from '#test/audience.ts'
import { aCustomer, anEmail, shareCustomer } from '#test/customers.ts'
import { eventsOf, type Wire } from '#test/factories.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

type Case = {
  audience: Audience
  table: string
  /** What names the group or the shop, and the reason of a person who is there already. */
  place: object
  taken: string | undefined
  change: object
  notFound: string
}

const CASES: Case[] = [
  {
    audience: 'subscriber',
    table: 'subscribers',
    place: { group_id: 's1' },
    taken: 'subscriber_taken',
    change: { ends_at: '2100-01-01T00:00:00' },
    notFound: 'subscriber_not_found',
  },
  {
    audience: 'groupmember',
    table: 'group_members',
    place: { group_id: 'p1' },
    taken: 'group_member_taken',
    change: { end_at: '2100-01-01T00:00:00' },
    notFound: 'group_member_not_found',
  },
  {
    audience: 'newsrecipient',
    table: 'news_recipients',
    place: {},
    taken: undefined,
    change: { confirmed_at: '2024-06-10T09:30:00' },
    notFound: 'news_recipient_not_found',
  },
]

async function topicsOf(shop: Shop, audience: Audience): Promise<{ topic: string; data: Wire }[]> {
  return (await eventsOf(service, shop)).filter(({ topic }) => topic.startsWith(`${audience}/`))
}

async function countOf(shop: Shop, audience: Audience, query = ''): Promise<number> {
  return (await shop.get(`/api/${audience}s/count.json${query}`)).body.count
}

for (const { audience, table, place, taken, change, notFound } of CASES) {
  const path = (id: number) => `/api/${audience}s/${id}.json`
  const add = (shop: Shop, attributes: object = {}) =>
    aPerson(shop, audience, { email: anEmail(), ...place, ...attributes })

  describe(`${audience}s`, () => {
    test('are created, read, changed and deleted, with events', async () => {
      const shop = await service.openShop()
      const made = await add(shop)
      assert.deepEqual(await readPerson(shop, audience, made.id), made)
      assert.equal(made.customer_token, null)
      service.clock.advance(60)
      const changed = await changePerson(shop, audience, made.id, change)
      const { state, updated_at } = changed
      assert.deepEqual(changed, { ...made, ...change, state, updated_at })
      assert.ok(updated_at > made.updated_at)
      // A change that changes nothing emits nothing, also when the whole object is sent back.
      service.clock.advance(60)
      assert.deepEqual(await changePerson(shop, audience, made.id, change), changed)
      assert.deepEqual(await changePerson(shop, audience, made.id, changed), changed)
      const data = { type: audience, id: String(made.id) }
      assert.deepEqual(await topicsOf(shop, audience), [
        { topic: `${audience}/create`, data },
        { topic: `${audience}/update`, data },
      ])
      const gone = await shop.delete(path(made.id))
      assert.deepEqual([gone.status, gone.body], [200, {}])
      for (const method of ['GET', 'PUT', 'DELETE']) {
        const body = method === 'PUT' ? { [audience]: change } : undefined
        const answer = await service.call(method, path(made.id), { token: shop.token, body })
        assert.deepEqual([answer.status, answer.body.reason], [404, notFound], method)
      }
      assert.equal((await topicsOf(shop, audience)).length, 2)
    })

    test('are filtered, paged and counted alike', async () => {
      const shop = await service.openShop()
      const customer = await aCustomer(shop)
      const first = await add(shop, { email: `Jane+news.${anEmail()}` })
      service.clock.advance(100)
      const second = await add(shop, { email: undefined, customer_token: customer.token })
      service.clock.advance(100)
      const third = await add(shop)
      service.clock.advance(100)
      const changed = await changePerson(shop, audience, first.id, change)
      const found: [string, Wire[]][] = [
        ['', [first, second, third]],
        [`?email=${first.email.toUpperCase()}`, [first]],
        ['?email=nobody%00@example.com', []],
        [`?customer_token=${customer.token.toLowerCase()}`, [second]],
        [`?created_at_min=${second.created_at}`, [second, third]],
        [`?created_at_max=${second.created_at}`, [first, second]],
        [`?updated_at_min=${changed.updated_at}`, [first]],
        [`?updated_at_max=${second.updated_at}`, [second]],
        [`?created_at_min=${second.created_at}&updated_at_max=${second.updated_at}`, [second]],
        [`?since_id=${first.id}`, [second, third]],
      ]
      for (const [query, expected] of found) {
        const ids = (await listPeople(shop, audience, query)).map(({ id }) => id)
        assert.deepEqual(
          ids,
          expected.map(({ id }) => id),
          query,
        )
        assert.equal(await countOf(shop, audience, query), expected.length, query)
      }
      assert.deepEqual(await listPeople(shop, audience, '?fields=id&limit=2&page=2'), [{ id: third.id }])
      const page = await shop.get(`/api/${audience}s.json?limit=1&customer_token=${customer.token}`)
      assert.equal(page.headers.get('link'), null)
      for (const query of ['?state=gone', '?created_at_min=soon'])
        assert.equal((await shop.get(`/api/${audience}s.json${query}`)).status, 422, query)
    })

    test('are created once with an Idempotency-Key, and have an ETag', async () => {
      const shop = await service.openShop()
      const body = { [audience]: { email: anEmail(), ...place } }
      const send = () => shop.post(`/api/${audience}s.json`, body, { 'idempotency-key': 'once' })
      const [first, second] = [await send(), await send()]
      assert.deepEqual([second.status, second.text], [201, first.text])
      assert.equal(second.headers.get('idempotent-replayed'), 'true')
      const etag = (await shop.get(path(first.body[audience].id))).headers.get('etag') ?? ''
      const again = await shop.get(path(first.body[audience].id), undefined, { 'if-none-match': etag })
      assert.equal(again.status, 304)
    })

    test('are the customer with the token or the address', async () => {
      const shop = await service.openShop()
      const customer = await aCustomer(shop)
      const byAddress = await add(shop, { email: customer.email.toLowerCase() })
      assert.deepEqual([byAddress.customer_token, byAddress.email], [customer.token, customer.email])
      const other = await aCustomer(shop)
      const byToken = await add(shop, { customer_token: other.token.toLowerCase(), email: anEmail() })
      assert.deepEqual([byToken.customer_token, byToken.email], [other.token, other.email])
    })

    test('need a person whom the company may know', async () => {
      const [shop, other] = [await service.openShop(), await service.openShop()]
      const stranger = await aCustomer(other)
      const wrong: [object, string, string][] = [
        [{}, 'email', 'field_required'],
        [{ email: '', customer_token: null }, 'email', 'field_required'],
        [{ email: 'nobody' }, 'email', 'field_invalid'],
        [{ email: `${'x'.repeat(64)}@${'x'.repeat(64)}.com` }, 'email', 'field_too_long'],
        [{ customer_token: stranger.token }, 'customer_token', 'audience_customer_unknown'],
        [{ customer_token: 'x\0' }, 'customer_token', 'field_not_storable'],
      ]
      for (const [input, field, reason] of wrong) {
        const { status, body } = await addPerson(shop, audience, { ...place, ...input })
        assert.deepEqual([status, Object.keys(body.errors), body.reason], [422, [field], reason], JSON.stringify(input))
      }
      // The address of another company's customer tells nothing of the customer.
      assert.equal((await add(shop, { email: stranger.email })).customer_token, null)
      assert.equal((await topicsOf(shop, audience)).length, 1)
    })

    test('are there once for a person and a group, however fast they come', async () => {
      const shop = await service.openShop()
      const email = anEmail()
      const send = () => addPerson(shop, audience, { email, ...place })
      const answers = await Promise.all([send(), send(), send()])
      const again = await addPerson(shop, audience, { email: email.toUpperCase(), ...place })
      const others = [...answers.filter(({ status }) => status !== 201), again]
      assert.equal(others.length, 3, 'one is added')
      if (taken !== undefined)
        for (const { status, body } of others)
          assert.deepEqual([status, body.reason, Object.keys(body.errors)], [422, taken, ['group_id']])
      else for (const { status } of others) assert.equal(status, 200)
      assert.equal(await countOf(shop, audience), 1)
      assert.equal((await topicsOf(shop, audience)).length, 1)
    })

    test('become the customer who comes with their address, and follow to the next one', async () => {
      const shop = await service.openShop()
      const [early, later] = [anEmail(), anEmail()]
      const made = await add(shop, { email: early })
      const bystander = await add(shop)
      const customer = await aCustomer(shop, { email: early.toLowerCase() })
      service.clock.advance(60)
      const joined = await readPerson(shop, audience, made.id)
      assert.deepEqual([joined.customer_token, joined.email], [customer.token, early.toLowerCase()])
      const moved = await shop.put(`/api/customers/${customer.token}.json`, { customer: { email: later } })
      assert.equal(moved.status, 200, moved.text)
      const followed = await readPerson(shop, audience, made.id)
      assert.deepEqual([followed.customer_token, followed.email], [customer.token, later])
      assert.ok(followed.updated_at > made.updated_at)
      assert.deepEqual(await readPerson(shop, audience, bystander.id), bystander)
      const updates = (await topicsOf(shop, audience)).filter(({ topic }) => topic.endsWith('update'))
      assert.deepEqual(
        updates.map(({ data }) => data.id),
        [String(made.id), String(made.id)],
      )
      // A change of the customer that is none of theirs changes nothing.
      await shop.put(`/api/customers/${customer.token}.json`, { customer: { first_name: 'Jane' } })
      assert.deepEqual(await readPerson(shop, audience, made.id), followed)
    })

    test('are one where a customer takes an address that is there already', async () => {
      const shop = await service.openShop()
      const customer = await aCustomer(shop)
      const own = await add(shop, { email: undefined, customer_token: customer.token })
      const other = await add(shop)
      const moved = await shop.put(`/api/customers/${customer.token}.json`, { customer: { email: other.email } })
      assert.equal(moved.status, 200, moved.text)
      assert.equal((await readPerson(shop, audience, own.id)).email, other.email)
      assert.equal((await shop.get(path(other.id))).status, 404)
      assert.equal(await countOf(shop, audience), 1)
    })

    test('go with the customer of the company, and with no other', async () => {
      const [shop, other] = [await service.openShop(), await service.openShop()]
      const email = anEmail()
      const body = { [audience]: { email, ...place } }
      const mine = await shop.post(`/api/${audience}s.json`, body, { 'idempotency-key': 'mine' })
      const customer = await aCustomer(shop, { email: email.toLowerCase() })
      await shareCustomer(other, customer)
      const bystander = await add(shop)
      const theirs = await add(other, { email: customer.email })
      // One from before it was known that the address is the customer's.
      const { id } = mine.body[audience]
      await sql`update ${sql.table(table)} set customer_token = null where id = ${id}`.execute(service.db)
      assert.equal((await shop.delete(`/api/customers/${customer.token}.json`)).status, 200)
      assert.deepEqual(await listPeople(shop, audience), [bystander])
      assert.equal(await countOf(shop, audience), 1)
      assert.deepEqual(await listPeople(other, audience), [theirs])
      await service.runJobs()
      const kept = await service.db.selectFrom('idempotency_keys').select('body').execute()
      assert.ok(!kept.some((answer) => answer.body?.includes(email)))
      // The last relation takes the account along.
      assert.equal((await other.delete(`/api/customers/${customer.token}.json`)).status, 200)
      assert.deepEqual(await listPeople(other, audience), [])
    })

    test('of one company are nothing to another', async () => {
      const [shop, stranger] = [await service.openShop(), await service.openShop()]
      const made = await add(shop)
      assert.equal((await stranger.get(path(made.id))).status, 404)
      await add(stranger, { email: made.email })
      assert.equal((await listPeople(stranger, audience)).length, 1)
    })
  })
}

test('people are counted again by a rebuild', async () => {
  const shop = await service.openShop()
  for (const { audience, place } of CASES) await aPerson(shop, audience, { email: anEmail(), ...place })
  await service.db.deleteFrom('counters').where('company_id', '=', shop.companyId).execute()
  for (const { audience } of CASES) assert.equal(await countOf(shop, audience), 0)
  await rebuild(service.db)
  for (const { audience } of CASES) assert.equal(await countOf(shop, audience), 1)
})

describe('the state of a subscriber', () => {
  test('follows the time', async () => {
    service.clock.stop()
    const shop = await service.openShop()
    const time = new Date(service.clock.now().getTime() + 600_000)
    const ends_at = time.toISOString().slice(0, 19)
    const [short, long] = [
      await aPerson(shop, 'subscriber', { email: anEmail(), group_id: 's1', ends_at }),
      await aPerson(shop, 'subscriber', { email: anEmail(), group_id: 's-1', ends_at: null }),
    ]
    const idsIn = async (state: string) => {
      const query = `?state=${state}`
      const ids = (await listPeople(shop, 'subscriber', query)).map(({ id }) => id)
      assert.equal(await countOf(shop, 'subscriber', query), ids.length)
      return ids
    }
    assert.deepEqual([short.state, long.state], ['active', 'active'])
    assert.deepEqual([await idsIn('active'), await idsIn('ended')], [[short.id, long.id], []])
    service.clock.advance(600)
    assert.equal((await readPerson(shop, 'subscriber', short.id)).state, 'ended')
    assert.deepEqual([await idsIn('active'), await idsIn('ended')], [[long.id], [short.id]])
    const renewed = await changePerson(shop, 'subscriber', short.id, { ends_at: null })
    assert.deepEqual([renewed.state, renewed.ends_at], ['active', null])
  })

  test('is that of the longer subscription where two become one', async () => {
    const shop = await service.openShop()
    const customer = await aCustomer(shop)
    const [own, other] = [
      await aPerson(shop, 'subscriber', { email: customer.email, group_id: 's1', ends_at: '2024-01-01' }),
      await aPerson(shop, 'subscriber', { email: anEmail(), group_id: 's1', ends_at: '2099-01-01' }),
    ]
    await shop.put(`/api/customers/${customer.token}.json`, { customer: { email: other.email } })
    assert.equal((await readPerson(shop, 'subscriber', own.id)).ends_at, '2099-01-01T00:00:00')
  })
})

describe('the state of a group member', () => {
  test('follows the time', async () => {
    service.clock.stop()
    const shop = await service.openShop()
    const at = (steps: number) => new Date(service.clock.now().getTime() + steps * 600_000).toISOString().slice(0, 19)
    const member = (period: object) => aPerson(shop, 'groupmember', { email: anEmail(), group_id: 'c1', ...period })
    const people = [
      await member({}),
      await member({ start_at: at(1) }),
      await member({ start_at: at(1), end_at: at(2) }),
      await member({ end_at: at(1) }),
    ]
    const statesNow = async () => {
      const listed = await listPeople(shop, 'groupmember')
      for (const state of ['not_started', 'active', 'ended']) {
        const same = await listPeople(shop, 'groupmember', `?state=${state}`)
        assert.deepEqual(
          same,
          listed.filter((each) => each.state === state),
        )
        assert.equal(await countOf(shop, 'groupmember', `?state=${state}`), same.length)
      }
      return listed.map(({ state }) => state)
    }
    assert.deepEqual(
      people.map(({ state }) => state),
      ['active', 'not_started', 'not_started', 'active'],
    )
    assert.deepEqual(await statesNow(), ['active', 'not_started', 'not_started', 'active'])
    service.clock.advance(600)
    assert.deepEqual(await statesNow(), ['active', 'active', 'active', 'ended'])
    service.clock.advance(600)
    assert.deepEqual(await statesNow(), ['active', 'active', 'ended', 'ended'])
  })
})

describe('a group', () => {
  test('is of the kind that the entry is for, and filters its list', async () => {
    const shop = await service.openShop()
    const email = anEmail()
    const wrong: [Audience, unknown][] = [
      ['subscriber', 'c1'],
      ['subscriber', 's0'],
      ['subscriber', 's'],
      ['groupmember', 's1'],
      ['groupmember', 'c-2'],
      ['groupmember', 'C1'],
      ['groupmember', ''],
      ['groupmember', undefined],
    ]
    for (const [audience, group_id] of wrong) {
      const answer = await addPerson(shop, audience, { email, group_id })
      assert.deepEqual([answer.status, Object.keys(answer.body.errors ?? {})], [422, ['group_id']], String(group_id))
    }
    const [one, all] = [
      await aPerson(shop, 'groupmember', { email, group_id: 'c1' }),
      await aPerson(shop, 'groupmember', { email, group_id: 'p-1' }),
    ]
    assert.deepEqual(await listPeople(shop, 'groupmember', '?group_id=c1'), [one])
    assert.deepEqual(await listPeople(shop, 'groupmember', '?group_id=p-1&state=active'), [all])
    assert.deepEqual(await listPeople(shop, 'groupmember', '?group_id=c'), [])
  })

  test('can be left for another one in which the person is not', async () => {
    const shop = await service.openShop()
    const email = anEmail()
    const [first, second] = [
      await aPerson(shop, 'subscriber', { email, group_id: 's1' }),
      await aPerson(shop, 'subscriber', { email, group_id: 's2' }),
    ]
    const answer = await shop.put(`/api/subscribers/${first.id}.json`, { subscriber: { group_id: 's2' } })
    assert.deepEqual([answer.status, answer.body.reason], [422, 'subscriber_taken'])
    assert.equal((await changePerson(shop, 'subscriber', second.id, { group_id: 's3' })).group_id, 's3')
  })

  test('has members for a period that ends after it starts', async () => {
    const shop = await service.openShop()
    const period = { start_at: '2031-01-01', end_at: '2031-01-01' }
    const answer = await addPerson(shop, 'groupmember', { email: anEmail(), group_id: 'c1', ...period })
    assert.deepEqual([answer.status, answer.body.reason], [422, 'end_before_start'])
    const member = await aPerson(shop, 'groupmember', { email: anEmail(), group_id: 'c1', start_at: '2031-01-01' })
    const changed = await shop.put(`/api/groupmembers/${member.id}.json`, { groupmember: { end_at: '2030-01-01' } })
    assert.deepEqual([changed.status, Object.keys(changed.body.errors)], [422, ['end_at']])
  })
})
