import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { aGroupMember, aNewsRecipient, aSubscriber, changePerson, listPeople } from '#test/audience.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aCsvImport, importsOf, pathOf } from '#test/imports.ts'
import { useMailServer } from '#test/mail-server.ts'
import { mailsTo } from '#test/mails.ts'
import { aUser } from '#test/users.ts'
import { ASKED_A_DAY_MAX } from './importer/audience.ts'

const server = useMailServer()
const service = useService({ smtpUrl: server.listening })
const { work, change, upload } = importsOf(service)

beforeEach(() => {
  server.received.length = 0
})

const recipientsOf = async (shop: Shop) =>
  (await listPeople(shop, 'newsrecipient')).map(({ email, state, confirmed_at, consent_source }) => [
    email,
    state,
    confirmed_at,
    consent_source,
  ])

async function countMails(shop: Shop): Promise<number> {
  const mails = service.db.selectFrom('mails').select('id').where('company_id', '=', shop.companyId)
  return (await mails.execute()).length
}

describe('an import of newsletter recipients', () => {
  test('keeps the consent of each line, and asks everybody else by mail', async () => {
    const shop = await service.openShop()
    const file = await aCsvImport(
      service,
      shop,
      'Email Address;CONFIRM_TIME;Consent source;Language\njane@example.com;2024-06-10 09:30:00;Old shop;de\nmax@example.com;;;\n',
    )
    assert.equal(file.kind, 'news_recipients')
    const checked = await work(shop, file, '/check')
    assert.deepEqual(checked.report.counts, { created: 2, changed: 0, unchanged: 0, skipped: 0, refused: 0 })
    assert.deepEqual(
      checked.report.warnings.map(({ reason, count, lines }: { reason: string; count: number; lines: number[] }) => [
        reason,
        count,
        lines,
      ]),
      [['news_recipient_asked', 1, [3]]],
    )
    assert.equal(await countMails(shop), 0)
    assert.equal((await work(shop, file, '/run')).state, 'imported')
    assert.deepEqual(await recipientsOf(shop), [
      ['jane@example.com', 'confirmed', '2024-06-10T09:30:00', 'Old shop'],
      ['max@example.com', 'pending', null, null],
    ])
    assert.equal((await mailsTo(service, server, 'max@example.com')).length, 1)
    assert.equal(await countMails(shop), 1)
    // Once more, nothing is the other way, and nobody is asked a second time.
    const again = await aCsvImport(service, shop, 'email,confirmed_at,consent_source\nmax@example.com,,\n')
    assert.equal((await work(shop, again, '/run')).report.counts.unchanged, 1)
    assert.equal(await countMails(shop), 1)
  })

  test('takes the consent of the whole file for lines that have none of their own', async () => {
    const shop = await service.openShop()
    const content = 'email,consent_source\na@example.com,\nb@example.com,Fair\n'
    const file = await aCsvImport(service, shop, content, '?kind=news_recipients')
    const defaults = [
      { field: 'confirmed_at', value: '2024-06-10' },
      { field: 'consent_source', value: ' Form of the old shop ' },
    ]
    assert.deepEqual((await change(shop, file, { defaults })).defaults, defaults)
    await work(shop, file, '/run')
    assert.deepEqual(await recipientsOf(shop), [
      ['a@example.com', 'confirmed', '2024-06-10T00:00:00', 'Form of the old shop'],
      ['b@example.com', 'confirmed', '2024-06-10T00:00:00', 'Fair'],
    ])
    assert.equal(await countMails(shop), 0)
    const wrong = await shop.put(pathOf(await aCsvImport(service, shop, content, '?kind=news_recipients')), {
      import: { defaults: [{ field: 'price', value: '1' }] },
    })
    assert.deepEqual([wrong.status, Object.keys(wrong.body.errors)], [422, ['defaults[0].field']])
  })

  test('refuses a consent that cannot be shown, and names line and field', async () => {
    const shop = await service.openShop()
    const lines = [
      'email,confirmed_at,consent_source',
      'a@example.com,2024-06-10,',
      'b@example.com,,Fair',
      'c@example.com,2999-01-01,Fair',
      'nobody,,',
      ',2024-06-10,Fair',
      'd@example.com,soon,Fair',
    ]
    const file = await aCsvImport(service, shop, lines.join('\n'))
    const { state, report } = await work(shop, file, '/run')
    assert.equal(state, 'checked')
    assert.deepEqual(
      report.mistakes.map(({ line, field, reason }: { line: number; field: string; reason: string }) => [
        line,
        field,
        reason,
      ]),
      [
        [2, 'consent_source', 'consent_source_missing'],
        [3, 'confirmed_at', 'consent_date_missing'],
        [4, 'confirmed_at', 'consent_in_future'],
        [5, 'email', 'field_invalid'],
        [6, 'email', 'field_required'],
        [7, 'confirmed_at', 'time_invalid'],
      ],
    )
    assert.deepEqual(await recipientsOf(shop), [])
  })

  test('brings nobody back who has left, unless they have agreed since, and changes nobody who has confirmed', async () => {
    service.clock.stop()
    const shop = await service.openShop()
    const own = { confirmed_at: '2024-01-01T00:00:00' }
    const left = await aNewsRecipient(shop, { email: 'left@example.com', ...own })
    const back = await aNewsRecipient(shop, { email: 'back@example.com', ...own })
    await aNewsRecipient(shop, { email: 'stays@example.com', ...own })
    await aNewsRecipient(shop, { email: 'waits@example.com' })
    service.clock.advance(60)
    for (const { id } of [left, back]) await changePerson(shop, 'newsrecipient', id, { state: 'unsubscribed' })
    service.clock.advance(600)
    const now = service.clock.now().toISOString().slice(0, 19)
    const mails = await countMails(shop)
    const lines = [
      'email,confirmed_at,consent_source,state',
      'left@example.com,,,',
      `back@example.com,${now},Fair,`,
      'stays@example.com,2024-02-02,Fair,',
      'waits@example.com,2024-02-02,Fair,',
      'cleaned@example.com,2024-02-02,Fair,unsubscribed',
    ]
    const { report } = await work(shop, await aCsvImport(service, shop, lines.join('\n')), '/run')
    assert.deepEqual(report.counts, { created: 0, changed: 2, unchanged: 1, skipped: 2, refused: 0 })
    assert.deepEqual(await recipientsOf(shop), [
      ['left@example.com', 'unsubscribed', own.confirmed_at, null],
      ['back@example.com', 'confirmed', now, 'Fair'],
      ['stays@example.com', 'confirmed', own.confirmed_at, null],
      ['waits@example.com', 'confirmed', '2024-02-02T00:00:00', 'Fair'],
    ])
    const old = 'email,confirmed_at,consent_source\nleft@example.com,2024-06-10,Fair\n'
    const outdated = await work(shop, await aCsvImport(service, shop, old), '/run')
    assert.equal(outdated.report.counts.skipped, 1)
    assert.equal(await countMails(shop), mails)
  })

  test('asks so many people a day by mail and no more', async () => {
    const shop = await service.openShop()
    const { id } = await aNewsRecipient(shop, { email: 'first@example.com' })
    // As many mails as the company has written today, but for two.
    await sql`insert into news_confirmations (token_hash, company_id, recipient_id, address_hash, created_at, expires_at)
      select sha256(convert_to(${shop.companyId} || ' ' || number, 'UTF8')), ${shop.companyId}, ${id}, '\\x00',
        ${service.clock.now()}, ${service.clock.now()}
      from generate_series(1, ${ASKED_A_DAY_MAX - 3}) as number`.execute(service.db)
    const lines = ['email', 'a@example.com', 'b@example.com', 'c@example.com']
    const file = await aCsvImport(service, shop, lines.join('\n'), '?kind=news_recipients')
    const { report } = await work(shop, file, '/run')
    assert.deepEqual([report.counts.created, report.counts.refused], [2, 1])
    assert.deepEqual(
      report.mistakes.map(({ line, reason }: { line: number; reason: string }) => [line, reason]),
      [[4, 'too_many_asked']],
    )
    // The file is not imported, so only the first one was asked.
    assert.equal(await countMails(shop), 1)
  })

  test('needs the scope customers', async () => {
    const shop = await service.openShop()
    const app = await shop.withScopes('products')
    const refused = await upload(app, 'email,consent_source\n')
    assert.deepEqual([refused.status, refused.body.reason], [403, 'scope_missing'])
    const file = await aCsvImport(service, shop, 'email,consent_source\na@example.com,\n')
    assert.equal((await app.get(pathOf(file))).status, 403)
    assert.deepEqual((await app.get('/api/imports.json')).body.imports, [])
  })
})

describe('an import of members and subscribers', () => {
  test('adds them, changes those who are there, and knows both by their columns', async () => {
    const shop = await service.openShop()
    const member = await aGroupMember(shop, { email: 'jane@example.com', group_id: 'c1' })
    const subscriber = await aSubscriber(shop, { email: 'JANE@example.com', group_id: 's1', ends_at: '2031-01-01' })
    const members = 'email,group_id,start_at,end_at\nJane@Example.com,c1,,2032-01-01\nmax@example.com,p7,2030-01-01,\n'
    const first = await aCsvImport(service, shop, members)
    assert.equal(first.kind, 'group_members')
    assert.deepEqual((await work(shop, first, '/run')).report.counts, {
      created: 1,
      changed: 1,
      unchanged: 0,
      skipped: 0,
      refused: 0,
    })
    const [one, other] = await listPeople(shop, 'groupmember')
    assert.deepEqual([one?.id, one?.end_at], [member.id, '2032-01-01T00:00:00'])
    assert.deepEqual([other?.group_id, other?.state], ['p7', 'not_started'])
    const second = await aCsvImport(service, shop, 'email,group_id,ends_at\njane@example.com,s1,2031-01-01\n')
    assert.equal(second.kind, 'subscribers')
    assert.equal((await work(shop, second, '/run')).report.counts.unchanged, 1)
    assert.equal((await listPeople(shop, 'subscriber'))[0]?.id, subscriber.id)
    const wrong = await aCsvImport(service, shop, 'email,group_id,end_at\na@example.com,s1,\nb@example.com,,\n')
    const { report } = await work(shop, wrong, '/check')
    assert.deepEqual(
      report.mistakes.map(({ line, field }: { line: number; field: string }) => [line, field]),
      [
        [2, 'group_id'],
        [3, 'group_id'],
      ],
    )
  })

  test('needs the permission to unlock', async () => {
    const shop = await service.openShop()
    const { id } = await aUser(service, shop, { permissions: { web_access: 1, request_products: 1 } })
    const colleague = await shop.asUser(id)
    const refused = await upload(colleague, 'email,group_id,end_at\na@example.com,c1,\n')
    assert.deepEqual([refused.status, refused.body.reason], [403, 'permission_missing'])
  })
})
