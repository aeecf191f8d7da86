import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addPerson, aGroupMember, aNewsRecipient, aSubscriber, changePerson, listPeople } from '#test/audience.ts'
import { type Shop, useService } from '#test/harness.ts'

const service = useService()

const emailsOf = async (shop: Shop, audience: 'subscriber' | 'groupmember' | 'newsrecipient', query: string) =>
  (await listPeople(shop, audience, query)).map(({ email }) => email)

describe('the lists of people', () => {
  test('are found by the beginning of the address, in any case, and by nothing that is a pattern', async () => {
    const shop = await service.openShop()
    const stranger = await service.openShop()
    for (const email of ['jane@example.com', 'janet+x@example.com', 'j%@example.com', 'max@example.com']) {
      await aSubscriber(shop, { email })
      await aGroupMember(shop, { email })
      await aNewsRecipient(shop, { email })
      await aSubscriber(stranger, { email })
    }
    for (const audience of ['subscriber', 'groupmember', 'newsrecipient'] as const) {
      const found: [string, string[]][] = [
        ['JANE', ['jane@example.com', 'janet+x@example.com']],
        ['janet%2B', ['janet+x@example.com']],
        ['j%25', ['j%@example.com']],
        ['example', []],
        ['%00', []],
        ['%20max%20', ['max@example.com']],
      ]
      for (const [q, emails] of found) {
        assert.deepEqual(await emailsOf(shop, audience, `?q=${q}`), emails, `${audience} ${q}`)
        const { count } = (await shop.get(`/api/${audience}s/count.json?q=${q}`)).body
        assert.equal(count, emails.length)
      }
      assert.equal((await listPeople(shop, audience, '?q=')).length, 4)
    }
  })

  test('are found by the days on which memberships end', async () => {
    const shop = await service.openShop()
    for (const [email, end] of [
      ['a@example.com', '2031-01-31'],
      ['b@example.com', '2031-02-28'],
      ['c@example.com', null],
    ]) {
      await aSubscriber(shop, { email, ends_at: end })
      await aGroupMember(shop, { email, end_at: end })
    }
    for (const [audience, field] of [
      ['subscriber', 'ends_at'],
      ['groupmember', 'end_at'],
    ] as const) {
      assert.deepEqual(await emailsOf(shop, audience, `?${field}_min=2031-02-01`), ['b@example.com'])
      assert.deepEqual(await emailsOf(shop, audience, `?${field}_max=2031-01-31`), ['a@example.com'])
      assert.equal((await shop.get(`/api/${audience}s/count.json?${field}_min=2031-01-01`)).body.count, 2)
      assert.equal((await shop.get(`/api/${audience}s.json?${field}_min=soon`)).status, 422)
    }
  })

  test('are read as files, those that fit the filters, and no formula of a stranger', async () => {
    const shop = await service.openShop()
    await aSubscriber(shop, { email: '+x@example.com', group_id: 's7', ends_at: '2031-06-01' })
    await aSubscriber(shop, { email: 'y@example.com', group_id: 's8' })
    await aGroupMember(shop, { email: 'z@example.com', group_id: 'c1', start_at: '2020-01-01' })
    const consent = { confirmed_at: '2024-06-10T09:30:00', consent_source: '=HYPERLINK("x")' }
    await aNewsRecipient(shop, { email: 'jane@example.com', ...consent })
    const { headers, text } = await shop.get('/api/subscribers.json?format=csv&group_id=s7&limit=1')
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8')
    assert.match(headers.get('content-disposition') ?? '', /filename="subscribers\.csv"/)
    const [heading, line, rest] = text.split('\r\n')
    assert.equal(heading, 'email,group_id,ends_at,state,created_at')
    assert.match(line ?? '', /^'\+x@example\.com,s7,2031-06-01T00:00:00,active,/)
    assert.equal(rest, '')
    const members = (await shop.get('/api/groupmembers.json?format=CSV')).text
    assert.match(members, /\r\nz@example\.com,c1,2020-01-01T00:00:00,,active,/)
    const recipients = (await shop.get('/api/newsrecipients.json?format=csv&state=confirmed')).text
    assert.match(recipients, /,en,2024-06-10T09:30:00,"'=HYPERLINK\(""x""\)",confirmed,/)
  })
})

describe('the source of a consent', () => {
  const EMAIL = 'jane@example.com'
  const PAPER = { confirmed_at: '2024-06-10T09:30:00', consent_source: 'Book fair, list 4' }

  test('is kept with the time, and belongs to it', async () => {
    const shop = await service.openShop()
    const pending = await aNewsRecipient(shop, { email: EMAIL })
    assert.equal(pending.consent_source, null)
    const noted = await changePerson(shop, 'newsrecipient', pending.id, PAPER)
    assert.deepEqual([noted.state, noted.consent_source], ['confirmed', PAPER.consent_source])
    // Without a source the same time takes none away, and another time is another consent.
    const again = await changePerson(shop, 'newsrecipient', pending.id, { confirmed_at: PAPER.confirmed_at })
    assert.deepEqual(again, noted)
    const other = await changePerson(shop, 'newsrecipient', pending.id, { confirmed_at: '2024-07-01' })
    assert.equal(other.consent_source, null)
    // A source alone proves nothing.
    const alone = await changePerson(shop, 'newsrecipient', pending.id, { consent_source: 'Hearsay' })
    assert.deepEqual(alone, other)
  })

  test('goes with the consent when somebody leaves and signs up again', async () => {
    const shop = await service.openShop()
    const { id } = await aNewsRecipient(shop, { email: EMAIL, ...PAPER })
    service.clock.advance(60)
    const left = await changePerson(shop, 'newsrecipient', id, { state: 'unsubscribed' })
    assert.equal(left.consent_source, PAPER.consent_source)
    const again = (await addPerson(shop, 'newsrecipient', { email: EMAIL })).body.newsrecipient
    assert.deepEqual([again.state, again.consent_source], ['pending', null])
  })

  test('can be stored, or is refused', async () => {
    const shop = await service.openShop()
    const { id } = await aNewsRecipient(shop, { email: EMAIL })
    for (const consent_source of ['a\0b', 'x'.repeat(501)]) {
      const body = { newsrecipient: { ...PAPER, consent_source } }
      const changed = await shop.put(`/api/newsrecipients/${id}.json`, body)
      assert.deepEqual([changed.status, Object.keys(changed.body.errors)], [422, ['consent_source']])
      const added = await addPerson(shop, 'newsrecipient', { email: 'x@example.com', ...body.newsrecipient })
      assert.equal(added.status, 422)
    }
    const blank = await changePerson(shop, 'newsrecipient', id, { ...PAPER, consent_source: '  ' })
    assert.equal(blank.consent_source, null)
  })
})
