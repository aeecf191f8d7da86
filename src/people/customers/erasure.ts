import { forgetUser } from '#rights/entitlements/uses/commands.ts'
import { inBatches, inSlices } from '#platform/db/batches.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { enqueue, retryFailedJobs } from '#platform/jobs/queue.ts'
import { BEFORE_ALL_ANSWERS, deleteAnswersWith } from '#platform/db/kept-answers.ts'
import { deleteMailsTo, findLastMailId } from '#platform/mail/store.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { deleteDataChanges } from '#apps/webhooks/sync/commands.ts'
import { ERASE_TRACES, type Forgotten } from './jobs.ts'
import type { AccountState } from './state.ts'

/**
 * Asks for the erasure of what a company has about a customer in tables that grow with the shop: to find it takes longer than a
 * request should. The job is written with the end of the relation, so that it is done whatever happens meanwhile.
 */
export async function requestErasure(
  tx: Tx,
  companyId: number,
  { id, token, email }: Pick<AccountState, 'id' | 'token' | 'email'>,
  isErased: boolean,
  now: Date,
): Promise<void> {
  const data: Forgotten = {
    ...{ customer_id: id, token, email, is_erased: isErased },
    forgotten_at: now.toISOString(),
    last_mail_id: await findLastMailId(tx),
  }
  await enqueue(tx, { kind: ERASE_TRACES, companyId, data }, now)
}

/** Does it step by step. A job that is done a second time, as after a crash, finds less. */
export async function eraseTraces(db: Db, { companyId, data }: Job<Forgotten, number>): Promise<void> {
  const until = new Date(data.forgotten_at)
  // Answers that are kept for repeated requests show the customer, also by an address that had no token yet.
  const texts = [data.token, asciiJson(data.email).slice(1, -1)]
  await inSlices(db, BEFORE_ALL_ANSWERS, (tx, after) => deleteAnswersWith(tx, companyId, texts, until, after))
  // Mails are kept for a while and show purchases. Mails of the service itself are deleted with the account.
  for (const sender of data.is_erased ? [companyId, null] : [companyId])
    await inSlices(db, 0, (tx, after) => deleteMailsTo(tx, sender, data.email, data.last_mail_id, after))
  await inBatches(db, (tx) => deleteDataChanges(tx, companyId, data.token, until))
  await inBatches(db, (tx) => forgetUser(tx, { companyId, customerId: data.customer_id }, until))
}

const DAY_MS = 86_400_000

/** Customers have a right to it, so that jobs that were given up are tried again a day later. */
export async function requestErasureAgain(tx: Tx, now: Date): Promise<void> {
  await retryFailedJobs(tx, [ERASE_TRACES], new Date(now.getTime() - DAY_MS), now)
}
