import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { type Shop, useService } from '#test/harness.ts'
import { ownerOf } from '#test/people.ts'
import type { Action } from './actions.facts.ts'
import { type AuditEntry, deleteOldAuditEntries, record } from './commands.ts'

const service = useService()
const origin = { address: '192.0.2.7', requestId: 'request-1' }
const noon = (day: number) => new Date(Date.UTC(2030, 0, day, 12))

function recordAll(entries: { entry: AuditEntry; at: Date }[]): Promise<void> {
  return inTransaction(service.db, async (tx) => {
    for (const { entry, at } of entries) await record(tx, entry, origin, at)
  })
}

function onDay(shop: Shop, day: number, action: Action, more: Partial<AuditEntry> = {}) {
  return { entry: { companyId: shop.companyId, action, subject: `Day ${day}`, ...more }, at: noon(day) }
}

async function subjects(shop: Shop, query: string): Promise<string[]> {
  const list = await shop.get(`/api/audit_entries.json?${query}`)
  assert.equal(list.status, 200, list.text)
  const { status, body } = await shop.get(`/api/audit_entries/count.json?${query}`)
  assert.deepEqual([status, body], [200, { count: list.body.audit_entries.length }], query)
  return list.body.audit_entries.map(({ subject }: { subject: string }) => subject)
}

describe('GET /api/audit_entries.json', () => {
  test('gives all entries that fit as a file, none of which is a formula', async () => {
    const shop = await service.openShop()
    const many = Array.from({ length: 120 }, (_, index) =>
      onDay(shop, 1, 'sign-in refused', { subject: `Try ${index}` }),
    )
    await recordAll([...many, onDay(shop, 2, 'app allowed', { subject: '=1+1', userId: shop.userId })])
    const { headers, text } = await shop.get('/api/audit_entries.json?format=csv&limit=5')
    assert.match(headers.get('content-disposition') ?? '', /filename="?activity\.csv/)
    const [heading, ...lines] = text.trimEnd().split('\r\n')
    assert.equal(heading?.replace('\uFEFF', ''), 'id,created_at,action,subject,user,app_id,address,request_id')
    assert.equal(lines.filter((line) => line.includes('sign-in refused,Try ')).length, 120)
    assert.equal(lines.filter((line) => line.includes("app allowed,'=1+1,")).length, 1)
    const allowed = await shop.get(`/api/audit_entries.json?format=csv&action=${encodeURIComponent('app allowed')}`)
    assert.equal(allowed.text.trimEnd().split('\r\n').length, 2)
  })

  test('shows who did what, when and from where, in any script', async () => {
    const shop = await service.openShop()
    const subject = 'Bücher "& Co" \\ <b>\n📚 \u2028'
    await recordAll([
      onDay(shop, 1, 'app allowed', { subject, userId: shop.userId, appId: shop.appId }),
      onDay(shop, 2, 'sign-in refused'),
    ])
    const { headers, body } = await shop.get('/api/audit_entries.json')
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
    const [first, second] = body.audit_entries
    const own = { address: '192.0.2.7', request_id: 'request-1' }
    assert.deepEqual(body, {
      audit_entries: [
        {
          id: first.id,
          created_at: '2030-01-01T12:00:00',
          action: 'app allowed',
          subject,
          user_id: shop.userId,
          user_email: (await ownerOf(service, shop)).email,
          app_id: shop.appId,
          ...own,
        },
        {
          id: second.id,
          created_at: '2030-01-02T12:00:00',
          action: 'sign-in refused',
          subject: 'Day 2',
          user_id: null,
          user_email: null,
          app_id: null,
          ...own,
        },
      ],
    })
    assert.ok(first.id < second.id)
    const cut = await shop.get('/api/audit_entries.json?fields=action,unknown')
    assert.deepEqual(cut.body, { audit_entries: [{ action: 'app allowed' }, { action: 'sign-in refused' }] })
  })

  test('filters by time, user and action, alone and together, and so does the count', async () => {
    const shop = await service.openShop()
    await recordAll([
      onDay(shop, 1, 'signed in', { userId: 7 }),
      onDay(shop, 2, 'signed in', { userId: 8 }),
      onDay(shop, 3, 'signed out', { userId: 7 }),
      onDay(shop, 4, 'signed in', { userId: 7 }),
      onDay(shop, 5, 'sign-in refused'),
    ])
    const cases: [string, number[]][] = [
      ['', [1, 2, 3, 4, 5]],
      ['created_at_min=2030-01-03T12:00:00', [3, 4, 5]],
      ['created_at_min=2030-01-03T12:00:01', [4, 5]],
      ['created_at_max=2030-01-03 12:00', [1, 2, 3]],
      ['created_at_max=2030-01-03', [1, 2]],
      ['created_at_min=2030-01-02&created_at_max=2030-01-04T13:00:00%2B01:00', [2, 3, 4]],
      ['user_id=7', [1, 3, 4]],
      ['user_id=9', []],
      ['action=signed in', [1, 2, 4]],
      ['action=Signed in', []],
      ['action=sign-in+refused', [5]],
      ['user_id=7&action=signed in', [1, 4]],
      ['user_id=7&action=signed in&created_at_min=2030-01-02&created_at_max=2030-01-05', [4]],
      ['unknown=1', [1, 2, 3, 4, 5]],
    ]
    for (const [query, days] of cases)
      assert.deepEqual(
        await subjects(shop, query),
        days.map((day) => `Day ${day}`),
        query,
      )
    const { body } = await shop.get('/api/audit_entries.json')
    assert.deepEqual(await subjects(shop, `since_id=${body.audit_entries[2].id}&user_id=7`), ['Day 4'])
  })

  test('refuses filters that cannot be read', async () => {
    const shop = await service.openShop()
    for (const path of ['/api/audit_entries.json', '/api/audit_entries/count.json']) {
      for (const [name, value] of [
        ['created_at_min', 'yesterday'],
        ['created_at_max', '2030-02-30'],
        ['user_id', 'jane'],
        ['user_id', '0'],
        ['user_id', '99999999999999999999'],
        ['action', 'x'.repeat(101)],
        ['since_id', '-1'],
      ]) {
        const { status, body } = await shop.get(`${path}?${name}=${value}`)
        assert.equal(status, 422, `${name}=${value}`)
        assert.deepEqual(Object.keys(body.errors), [name])
      }
    }
    const nul = await shop.get('/api/audit_entries.json?action=a%00b')
    assert.equal(nul.status, 422, nul.text)
  })

  test('is paged with its filters', async () => {
    const shop = await service.openShop()
    const days = Array.from({ length: 230 }, (_, day) => day)
    await recordAll(days.map((day) => onDay(shop, day, day % 2 === 0 ? 'signed in' : 'signed out')))
    assert.equal((await subjects(shop, '')).length, 230)
    const seen: string[] = []
    let path: string | undefined = '/api/audit_entries.json?limit=50&action=signed%20in'
    while (path !== undefined) {
      const { headers, body } = await shop.get(path)
      seen.push(...body.audit_entries.map(({ subject }: { subject: string }) => subject))
      path = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]?.slice(service.url.length)
    }
    assert.deepEqual(
      seen,
      days.filter((day) => day % 2 === 0).map((day) => `Day ${day}`),
    )
    const second = await shop.get('/api/audit_entries.json?limit=3&page=2')
    assert.deepEqual(
      second.body.audit_entries.map(({ subject }: { subject: string }) => subject),
      ['Day 3', 'Day 4', 'Day 5'],
    )
  })

  test("shows neither another company's entries nor those of no company", async () => {
    const shop = await service.openShop()
    const partner = await service.openShop()
    const associate = await service.openShop({ partnerId: partner.companyId })
    await recordAll([
      onDay(associate, 1, 'signed in', { userId: shop.userId }),
      { entry: { companyId: null, action: 'sign-in refused', subject: 'nobody' }, at: noon(1) },
    ])
    assert.deepEqual(await subjects(associate, ''), ['Day 1'])
    for (const stranger of [shop, partner]) {
      assert.deepEqual(await subjects(stranger, ''), [])
      assert.deepEqual(await subjects(stranger, `user_id=${shop.userId}`), [])
    }
  })

  test('needs a scope that may see the company', async () => {
    const shop = await service.openShop()
    const others = await shop.withScopes('products', 'orders', 'customers')
    assert.equal((await others.get('/api/audit_entries.json')).status, 403)
    assert.equal((await others.get('/api/audit_entries/count.json')).status, 403)
    assert.equal((await shop.post('/api/audit_entries.json', {})).status, 405)
    assert.equal((await shop.delete('/api/audit_entries.json')).status, 405)
  })
})

test('entries are deleted after a year', async () => {
  const shop = await service.openShop()
  await recordAll([onDay(shop, 1, 'signed in'), onDay(shop, 2, 'signed in')])
  const yearAfter = (day: number) => new Date(noon(day).getTime() + 365 * 86_400_000)
  await inTransaction(service.db, (tx) => deleteOldAuditEntries(tx, yearAfter(1)))
  assert.deepEqual(await subjects(shop, ''), ['Day 1', 'Day 2'])
  await inTransaction(service.db, (tx) => deleteOldAuditEntries(tx, yearAfter(2)))
  assert.deepEqual(await subjects(shop, ''), ['Day 2'])
})
