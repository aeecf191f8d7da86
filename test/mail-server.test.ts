import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { useService } from './harness.ts'
import { useMailServer } from './mail-server.ts'

const mail = useMailServer()
const service = useService({ smtpUrl: mail.listening })
const kept = useService()

test('a mail that a company queues arrives, and stays where there is no server', async () => {
  for (const { db, clock, openShop, runJobs } of [service, kept]) {
    const { companyId } = await openShop()
    const words = { companyId, to: 'jane@example.com', subject: 'Hello', text: 'Hello', html: '<p>Hello</p>' }
    await inTransaction(db, (tx) => queueMail(tx, words, nowInSeconds(clock)))
    await runJobs()
  }
  assert.deepEqual(
    mail.received.map(({ from, to, email }) => [from, to, email.text?.trim()]),
    [['no-reply@licet.example', ['jane@example.com'], 'Hello']],
  )
  const sentAt = ({ db }: typeof service) => db.selectFrom('mails').select('sent_at').executeTakeFirstOrThrow()
  assert.notEqual((await sentAt(service)).sent_at, null)
  assert.equal((await sentAt(kept)).sent_at, null)
})
