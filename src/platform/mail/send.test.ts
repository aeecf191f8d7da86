import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { claimDue, handlerOf } from '#test/jobs.ts'
import { type MailServer, useMailServer } from '#test/mail-server.ts'
import { createDatabase, type TestDatabase } from '#test/server.ts'
import { type DatabaseHandle, openDatabase } from '../db/database.ts'
import { createNotices } from '../db/notices/notices.ts'
import { inTransaction } from '../db/transaction.ts'
import { createLoop, type Loop } from '../jobs/loop.ts'
import { LEASE_SECONDS } from '../jobs/queue.ts'
import { RETRY_SECONDS } from '../jobs/retry.ts'
import { createLog } from '../log/log.ts'
import { createMetrics } from '../log/metrics.ts'
import { type NewMail, queueMail, SEND_MAIL } from './queue.ts'
import { createMailSenders } from './send.ts'
import { type MailSettings, parseMailServer } from './settings.ts'
import { countMails, deleteOldMails, findMail, listMails, requeueMails, type WholeMail } from './store.ts'

const server = useMailServer()
const lines: string[] = []
const log = createLog('debug', { write: (line) => void lines.push(line) })
let database: TestDatabase
let handle: DatabaseHandle
let time = Date.UTC(2030, 0, 1)
const clock = { now: () => new Date(time) }
const advance = (seconds: number) => {
  time += seconds * 1000
}

before(async () => {
  database = await createDatabase()
  handle = openDatabase(database.connection, { poolMax: 10 })
})

after(async () => {
  await handle.close()
  await database.drop()
})

beforeEach(async () => {
  await handle.db.deleteFrom('jobs').execute()
  await handle.db.deleteFrom('mails').execute()
  server.received.length = 0
  server.refuseRecipient = () => undefined
  server.refuseMessage = () => undefined
})

function settingsFor({ url }: MailServer): MailSettings {
  const settings = parseMailServer(url)
  assert.ok(settings)
  return { server: settings, from: { name: 'Bücher & Co', address: 'shop@example.com' } }
}

function workerWith(mail: MailSettings | undefined): Loop {
  const { db, pool } = handle
  const notices = createNotices(pool, log)
  const handlers = createMailSenders({ db, clock, log, mail })
  return createLoop({ db, notices, clock, log, metrics: createMetrics(), handlers, chores: {} })
}

const MAIL = {
  companyId: null,
  to: 'jane@example.com',
  subject: 'Your book',
  text: 'Here it is.',
  html: '<p>Here it is.</p>',
}

function queue(mail: Partial<NewMail> = {}): Promise<void> {
  return inTransaction(handle.db, (tx) => queueMail(tx, { ...MAIL, ...mail }, clock.now()))
}

async function onlyMail(): Promise<WholeMail> {
  const [listed, ...others] = await listMails(handle.db, 10)
  assert.deepEqual(others, [])
  const mail = await findMail(handle.db, listed?.id ?? 0)
  assert.ok(mail)
  return mail
}

async function jobCount(): Promise<number> {
  return (await handle.db.selectFrom('jobs').select('id').execute()).length
}

describe('a mail', () => {
  test('goes out once, with both parts, whatever letters it has', async () => {
    const words = { subject: 'Ihr Buch „Über die Brücke“ 📚', text: 'Grüße,\n你好\n', html: '<p>Grüße, 你好</p>' }
    await queue(words)
    const worker = workerWith(settingsFor(server))
    assert.equal(await worker.runDue(), 1)
    assert.equal(await worker.runDue(), 0)
    const [got, ...more] = server.received
    assert.deepEqual(more, [])
    assert.deepEqual([got?.from, got?.to], ['shop@example.com', ['jane@example.com']])
    assert.equal(got?.email.subject, words.subject)
    assert.deepEqual([got?.email.text?.trim(), got?.email.html?.trim()], [words.text.trim(), words.html])
    assert.deepEqual(got?.email.from, { name: 'Bücher & Co', address: 'shop@example.com' })
    assert.deepEqual(got?.email.to, [{ name: '', address: 'jane@example.com' }])
    assert.equal(new Date(got?.email.date ?? 0).getTime(), time)
    assert.match(got?.raw ?? '', /^Auto-Submitted: auto-generated\r$/m)
    const mail = await onlyMail()
    assert.deepEqual([mail.state, mail.sent_at, mail.failed_at, mail.last_error], ['sent', clock.now(), null, null])
    assert.equal(await jobCount(), 0)
  })

  test('of a transaction that is rolled back never goes out', async () => {
    await assert.rejects(
      inTransaction(handle.db, async (tx) => {
        await queueMail(tx, MAIL, clock.now())
        throw new Error('no')
      }),
    )
    assert.equal(await workerWith(settingsFor(server)).runDue(), 0)
    assert.deepEqual([server.received, await listMails(handle.db, 10)], [[], []])
  })

  test('that carries a secret is kept without its text once it is sent, and others with it', async () => {
    await queue({ carriesSecret: true })
    await queue()
    await workerWith(settingsFor(server)).runDue()
    assert.equal(server.received.length, 2)
    assert.ok(server.received.every(({ email }) => email.text?.trim() === MAIL.text))
    const [open, secret] = await listMails(handle.db, 10)
    const texts = await Promise.all([secret, open].map((mail) => findMail(handle.db, mail?.id ?? 0)))
    assert.deepEqual(
      texts.map((mail) => [mail?.carries_secret, mail?.text, mail?.html]),
      [
        [true, null, null],
        [false, MAIL.text, MAIL.html],
      ],
    )
  })

  test('for signing in does not wait for other mails, however slow they are', async () => {
    const arrived = Promise.withResolvers<undefined>()
    server.refuseMessage = ({ email }) => {
      if (email.subject !== 'Sign in') return arrived.promise
      // The others are released after the server has taken this mail: released at once, they would come first.
      setImmediate(arrived.resolve, undefined)
      return undefined
    }
    for (let count = 0; count < 10; count += 1) await queue()
    await queue({ carriesSecret: true, subject: 'Sign in' })
    assert.equal(await workerWith(settingsFor(server)).runDue(), 11)
    assert.equal(server.received[0]?.email.subject, 'Sign in')
    assert.equal(server.received.length, 11)
  })

  test('may show the name of a shop, and where answers go', async () => {
    await queue({ senderName: 'Bücher, "Müller" <x@y> & Co', replyTo: 'jo@books.example' })
    await queue({
      senderName: 'Books\r\nBcc: thief@example.com',
      replyTo: 'jo@books.example\r\nBcc: thief@example.com',
    })
    await queue({ replyTo: 'jo@books.example, thief@example.com' })
    await workerWith(settingsFor(server)).runDue()
    const seen = server.received.map(({ from, to, email }) => [from, to, email.from?.name, email.replyTo, email.bcc])
    const envelope = ['shop@example.com', ['jane@example.com']]
    assert.deepEqual(
      seen.sort((one, other) => String(one[2]).localeCompare(String(other[2]))),
      [
        [...envelope, 'Books Bcc: thief@example.com', undefined, undefined],
        [...envelope, 'Bücher & Co', undefined, undefined],
        [...envelope, 'Bücher, "Müller" <x@y> & Co', [{ name: '', address: 'jo@books.example' }], undefined],
      ],
    )
    assert.ok(server.received.every(({ raw }) => !/^Bcc/im.test(raw)))
  })

  test('cannot bring in a header or a second recipient', async () => {
    await queue({ subject: 'Hello\r\nBcc: thief@example.com\r\n\r\n<script>' })
    for (const to of [
      'jane@example.com\r\nBcc: thief@example.com',
      'jane@example.com\nRCPT TO:<thief@example.com>',
      'jane@example.com,thief@example.com',
      'jane@example.com; thief@example.com',
      'Jane <jane@example.com>',
      'jane@example.com>\r\nDATA',
      'jane',
      '@example.com',
      '',
    ])
      await queue({ to })
    const worker = workerWith(settingsFor(server))
    while ((await worker.runDue()) > 0);
    assert.deepEqual(
      server.received.map(({ to }) => to),
      [['jane@example.com']],
    )
    assert.equal(server.received[0]?.email.subject, 'Hello Bcc: thief@example.com <script>')
    assert.doesNotMatch(server.received[0]?.raw ?? '', /^Bcc/im)
    assert.deepEqual(await countMails(handle.db), { sent: 1, failed: 9, waiting: 0, kept: 0 })
  })

  test('is thrown away after thirty days', async () => {
    await queue()
    advance(30 * 86_400)
    await queue({ subject: 'Young' })
    await inTransaction(handle.db, (tx) => deleteOldMails(tx, clock.now()))
    assert.equal((await listMails(handle.db, 10)).length, 2)
    advance(1)
    await inTransaction(handle.db, (tx) => deleteOldMails(tx, clock.now()))
    assert.equal((await onlyMail()).subject, 'Young')
    // The job of the old one finds nothing to do.
    const worker = workerWith(settingsFor(server))
    while ((await worker.runDue()) > 0);
    assert.deepEqual(
      server.received.map(({ email }) => email.subject),
      ['Young'],
    )
    assert.equal(await jobCount(), 0)
  })
})

describe('a mail that is not taken', () => {
  test('for good is given up at once, with what the server said', async () => {
    server.refuseRecipient = () => ({ code: 550, text: 'No such user here' })
    await queue()
    await workerWith(settingsFor(server)).runDue()
    const mail = await onlyMail()
    assert.deepEqual([mail.state, mail.sent_at, mail.failed_at], ['failed', null, clock.now()])
    assert.match(mail.last_error ?? '', /550 No such user here$/)
    assert.deepEqual([await jobCount(), mail.text], [0, MAIL.text])
    assert.ok(lines.some((line) => line.includes('a mail was given up') && !line.includes('jane@')))
  })

  test('because of its content is given up as well', async () => {
    server.refuseMessage = () => ({ code: 554, text: 'This looks like spam' })
    await queue()
    await workerWith(settingsFor(server)).runDue()
    const mail = await onlyMail()
    assert.deepEqual([mail.state, await jobCount()], ['failed', 0])
    assert.match(mail.last_error ?? '', /554 This looks like spam$/)
  })

  test('for now is tried again, under the same Message-ID', async () => {
    const ids: (string | undefined)[] = []
    let refused = false
    server.refuseMessage = ({ email, to }) => {
      ids.push(email.messageId)
      if (refused || to[0] !== MAIL.to) return undefined
      refused = true
      return { code: 451, text: 'Come back\0 later' }
    }
    await queue()
    await queue({ to: 'other@example.com' })
    const worker = workerWith(settingsFor(server))
    await worker.runDue()
    const [, first] = await listMails(handle.db, 10)
    assert.deepEqual([first?.state, first?.failed_at], ['waiting', null])
    assert.match(first?.last_error ?? '', /451 Come back later$/)
    advance(RETRY_SECONDS[0])
    await worker.runDue()
    const [, sent] = await listMails(handle.db, 10)
    assert.equal(sent?.state, 'sent')
    assert.equal(sent?.last_error, first?.last_error, 'that it took two tries is still to be seen')
    assert.equal(ids.length, 3)
    assert.match(ids[2] ?? '', /^<licet\.\d+\.\d+@example\.com>$/)
    assert.equal(new Set(ids).size, 2)
    assert.equal(new Set(server.received.map(({ email }) => email.messageId)).size, 2)
  })

  test('while the server is away goes out when it is back', async () => {
    await queue()
    await server.stop()
    const worker = workerWith(settingsFor(server))
    await worker.runDue()
    assert.match((await onlyMail()).last_error ?? '', /ECONNREFUSED/)
    await server.start()
    assert.equal(await worker.runDue(), 0)
    advance(RETRY_SECONDS[0])
    assert.equal(await worker.runDue(), 1)
    assert.deepEqual([(await onlyMail()).state, server.received.length], ['sent', 1])
  })

  test('in all its tries is given up, and can be asked for again', async () => {
    server.refuseRecipient = () => ({ code: 450, text: 'Mailbox busy' })
    await queue()
    const worker = workerWith(settingsFor(server))
    for (const wait of RETRY_SECONDS) {
      assert.equal(await worker.runDue(), 1)
      assert.equal((await onlyMail()).state, 'waiting')
      advance(wait)
    }
    assert.equal(await worker.runDue(), 1)
    assert.deepEqual([(await onlyMail()).state, await jobCount()], ['failed', 0])
    server.refuseRecipient = () => undefined
    const again = (failed: boolean) => inTransaction(handle.db, (tx) => requeueMails(tx, { failed }, clock.now()))
    assert.equal(await again(false), 0)
    assert.equal(await again(true), 1)
    await worker.runDue()
    assert.deepEqual([(await onlyMail()).state, (await onlyMail()).failed_at], ['sent', null])
  })
})

describe('without a mail server', () => {
  test('mails are kept to be read, and go out when they are asked for once there is one', async () => {
    await queue({ carriesSecret: true })
    await workerWith(undefined).runDue()
    const kept = await onlyMail()
    assert.deepEqual([kept.state, kept.text, await jobCount()], ['kept', MAIL.text, 0])
    const worker = workerWith(settingsFor(server))
    assert.equal(await worker.runDue(), 0)
    // Two who ask at once, and one who asks again, do not send it twice.
    const ask = () => inTransaction(handle.db, (tx) => requeueMails(tx, { failed: false }, clock.now()))
    const asked = await Promise.all([ask(), ask(), ask()])
    assert.deepEqual([...asked].sort(), [0, 0, 1])
    assert.equal((await onlyMail()).state, 'waiting')
    assert.equal(await ask(), 0)
    while ((await worker.runDue()) > 0);
    assert.equal(await ask(), 0)
    assert.deepEqual([(await onlyMail()).state, server.received.length], ['sent', 1])
  })
})

describe('several workers', () => {
  test('send each mail once', async () => {
    for (let count = 0; count < 30; count += 1) await queue({ to: `reader${count}@example.com` })
    const workers = [1, 2, 3].map(() => workerWith(settingsFor(server)))
    await Promise.all(
      workers.map(async (worker) => {
        while ((await worker.runDue()) > 0);
      }),
    )
    assert.equal(server.received.length, 30)
    assert.equal(new Set(server.received.map(({ to }) => to[0])).size, 30)
    assert.equal((await countMails(handle.db)).sent, 30)
  })

  test('do not repeat what one of them sent before it was killed', async () => {
    await queue()
    const { db } = handle
    const [job] = await claimDue(db, SEND_MAIL, clock.now())
    assert.ok(job)
    const senders = createMailSenders({ db, clock, log, mail: settingsFor(server) })
    await handlerOf(senders, SEND_MAIL).run(job)
    advance(LEASE_SECONDS)
    assert.equal(await workerWith(settingsFor(server)).runDue(), 1)
    assert.deepEqual([server.received.length, await jobCount()], [1, 0])
  })
})
