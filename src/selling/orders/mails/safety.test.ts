import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { LEASE_SECONDS } from '#platform/jobs/queue.ts'
import { type Shop, useService } from '#test/harness.ts'
import { untilWaiting } from '#test/in-line.ts'
import { claimDue, handlerOf } from '#test/jobs.ts'
import { useMailServer } from '#test/mail-server.ts'
import { aFilm, aReader, aWritingShop, HOME, mailsTo, mailTo, nameShop, order, payBack } from '#test/mails.ts'
import { createOrderMailers } from './handlers.worker.ts'
import { CONFIRM_ORDER } from './jobs.ts'

const server = useMailServer()
const service = useService({ smtpUrl: server.listening })

beforeEach(() => {
  server.received.length = 0
})

const HOSTILE = "Jo\u202e <script>alert(1)</script> \"><img src=x onerror=alert(1)> &amp; 'x'"

describe('what people write', () => {
  test('stays text in the mail, from any author', async () => {
    const shop = await aWritingShop(service, { company_name: 'C <b onclick=alert(1)>', street: HOSTILE.slice(0, 99) })
    await nameShop(shop, [{ language_id: 'en', shop_name: HOSTILE }])
    const email_text = `<p onclick="alert(1)">Read <a href="javascript:alert(1)">this</a></p><script>alert(1)</script>
      <img src="https://evil.example/pixel.gif"><iframe src="https://evil.example"></iframe></div></body>`
    const film = await aFilm(service, shop, {
      title: HOSTILE,
      locales: [{ language_id: 'en', title: `${HOSTILE} 2`, email_text }],
    })
    const jane = await aReader(shop, {
      first_name: HOSTILE.slice(0, 90),
      last_name: '</p><style>*{display:none}</style>',
      addresses: [{ ...HOME, address1: '<svg onload=alert(1)>' }],
    })
    const bought = await order(shop, jane, [film], { po_number: '<marquee>' })
    await mailTo(service, server, jane.email)
    await payBack(shop, bought, { amount: 100, lines: [[0, 1]] })
    const letters = await mailsTo(service, server, jane.email)
    assert.equal(letters.length, 2)
    for (const { email } of letters) {
      const html = email.html ?? ''
      // The tags that are left are those of the layout, each with the attributes that it has there.
      const tags = new Set([...html.matchAll(/<(?!\/)([!a-z0-9]+)/gi)].map(([, tag]) => tag?.toLowerCase()))
      const known =
        '!doctype html head meta title style body div p strong h1 h2 span br table thead tbody tfoot tr th td small ul li a'
      assert.deepEqual(
        [...tags].filter((tag) => !known.split(' ').includes(tag ?? '')),
        [],
      )
      assert.equal(html.match(/<style/g)?.length, 1)
      assert.equal(html.match(/<\/body>/g)?.length, 1)
      for (const [tag] of html.matchAll(/<[a-z][^>]*>/gi)) assert.doesNotMatch(tag, /\son\w+=|javascript:|src=/i, tag)
      assert.ok(!html.includes('evil.example'))
      assert.ok(!`${email.subject}${email.text}${html}`.includes('\u202e'))
    }
    const text = letters[0]?.email.text ?? ''
    assert.match(
      text,
      /<script>alert\(1\)<\/script> "><img src=x onerror=alert\(1\)> &amp; 'x' 2/,
      'it is told as it was written',
    )
    assert.match(text, /^Read this$/m)
  })

  test('brings in no header and no second recipient', async () => {
    const shop = await aWritingShop(service)
    const names = { shop_name: 'Books\r\nBcc: thief@example.com\r\n\r\nHello' }
    await nameShop(shop, [{ language_id: 'en', ...names }])
    const film = await aFilm(service, shop, { title: 'A\r\n.\r\nRSET' })
    const jane = await aReader(shop, { first_name: 'Jane\r\nX-Evil: 1' })
    await order(shop, jane, [film])
    const { subject, text, raw, received } = await mailTo(service, server, jane.email)
    assert.equal(received.to.length, 1)
    assert.match(subject, /at Books Bcc: thief@example\.com Hello$/)
    assert.equal(received.email.from?.name, 'Books Bcc: thief@example.com Hello')
    assert.doesNotMatch(raw.split('\r\n\r\n')[0] ?? '', /^(Bcc|X-Evil)/im)
    assert.match(text, /^Hello Jane X-Evil: 1 Roe,$/m)
    assert.match(text, /^- A \. RSET: /m)
  })

  test('does not become an address for answers that it is not', async () => {
    const shop = await aWritingShop(service)
    await service.db
      .updateTable('companies')
      .set({ email: 'shop@example.com, thief@example.com' })
      .where('id', '=', shop.companyId)
      .execute()
    const jane = await aReader(shop)
    await order(shop, jane, [await aFilm(service, shop)])
    const { raw, text } = await mailTo(service, server, jane.email)
    assert.doesNotMatch(raw, /thief|Reply-To/)
    assert.doesNotMatch(text, /reply to this email/)
  })
})

describe('a mail about an order', () => {
  const mailsOf = async ({ companyId }: Shop) =>
    (await service.db.selectFrom('mails').select('id').where('company_id', '=', companyId).execute()).length

  const claim = async () => {
    const [job, ...others] = await claimDue(service.db, CONFIRM_ORDER, service.clock.now())
    assert.deepEqual(others, [])
    return job!
  }

  test('is written once, even if the worker is killed or runs the job again', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    await order(shop, jane, [await aFilm(service, shop)])
    const confirm = handlerOf(createOrderMailers({ ...service, baseUrl: service.url }), CONFIRM_ORDER)
    const late = await claim()
    service.clock.advance(LEASE_SECONDS)
    const job = await claim()
    assert.equal(job.id, late.id)
    // Its lease expired while it was asleep: another worker has the job now.
    await confirm.run(late)
    assert.equal(await mailsOf(shop), 0)
    await Promise.all([confirm.run(job), confirm.run(job)])
    // The worker is killed here: the job is not marked as done, and its lease expires.
    service.clock.advance(LEASE_SECONDS)
    await confirm.run(job)
    assert.equal((await mailsTo(service, server, jane.email)).length, 1)
    assert.equal(await mailsOf(shop), 1)
  })

  test('is written by the next one, should the first be killed in the middle', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    await order(shop, jane, [await aFilm(service, shop)])
    const job = await claim()
    // Its connection ends while it writes the mail, as it does when a process ends.
    await inTransaction(service.db, async (tx) => {
      await sql`lock table mails in exclusive mode`.execute(tx)
      const writing = assert.rejects(
        handlerOf(createOrderMailers({ ...service, baseUrl: service.url }), CONFIRM_ORDER).run(job),
      )
      await untilWaiting(service, 1)
      await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(service.db)
      await writing
    })
    assert.equal(await mailsOf(shop), 0)
    assert.deepEqual(await mailsTo(service, server, jane.email), [])
    service.clock.advance(LEASE_SECONDS)
    assert.equal((await mailsTo(service, server, jane.email)).length, 1)
  })

  test('that fails half-way leaves nothing, and comes when it can be written', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    const film = await aFilm(service, shop)
    const { id } = await order(shop, jane, [film])
    await service.db
      .updateTable('theme_settings')
      .set({ locales: '"not a list"' })
      .where('company_id', '=', shop.companyId)
      .execute()
    assert.deepEqual(await mailsTo(service, server, jane.email), [])
    assert.equal(await mailsOf(shop), 0)
    await service.db
      .updateTable('theme_settings')
      .set({ locales: '[]' })
      .where('company_id', '=', shop.companyId)
      .execute()
    service.clock.advance(60)
    assert.match((await mailTo(service, server, jane.email)).subject, new RegExp(`#${id} `))
  })

  test('goes to where the customer reads now', async () => {
    const shop = await aWritingShop(service)
    const jane = await aReader(shop)
    await order(shop, jane, [await aFilm(service, shop)])
    const email = `new.${jane.email}`
    const changed = await shop.put(`/api/customers/${jane.token}.json`, { customer: { email, language: 'fr' } })
    assert.equal(changed.status, 200, changed.text)
    assert.match((await mailTo(service, server, email)).subject, /^Votre commande/)
    assert.deepEqual(await mailsTo(service, server, jane.email), [])
  })
})
