import { deleteDataChanges } from '#apps/webhooks/sync/commands.ts'
import { inBatches, inSlices } from '#platform/db/batches.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { BEFORE_ALL_ANSWERS, deleteAnswersWith } from '#platform/db/kept-answers.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { enqueue, retryFailedJobs } from '#platform/jobs/queue.ts'
import { deleteMailsWith, findLastMailId } from '#platform/mail/store.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { ERASE_TRACES, type Forgotten } from './jobs.ts'
import type { AccountState, RelationState } from './state.ts'

type Customer = { companyId: number; customerId: number }

/** Somebody whom a company has forgotten, with what they are found by. */
export type Erased = Customer & Pick<Forgotten, 'token' | 'email'>

/** How the rooms above this one forget a customer of a company. */
export type Forgetting = {
  /** In the transaction that ends the relation. */
  atOnce(tx: Tx, customer: Customer, now: Date): Promise<void>
  /** A batch of what is found slowly, as far as it is older. */
  aBatch: ForgetBatch
}

type ForgetBatch = (tx: Tx, customer: Erased, until: Date) => ReturnType<Parameters<typeof inBatches>[1]>

/** Forgets a batch of the first that finds anything. */
export function inTurn(...parts: readonly ForgetBatch[]): ForgetBatch {
  return async (tx, customer, until) => {
    for (const forget of parts) {
      const count = await forget(tx, customer, until)
      if (count > 0) return count
    }
    return 0
  }
}

/**
 * Asks for the erasure of what a company has about a customer in tables that grow with the shop: to find it takes longer than a
 * request should. The job is written with the end of the relation, so that it is done whatever happens meanwhile.
 */
export async function requestErasure(
  tx: Tx,
  companyId: number,
  { id, token, email }: Pick<AccountState, 'id' | 'token' | 'email'>,
  { first_name, last_name }: Pick<RelationState, 'first_name' | 'last_name'>,
  isErased: boolean,
  now: Date,
): Promise<Forgotten> {
  const data: Forgotten = {
    customer_id: id,
    token,
    email,
    name: first_name === '' || last_name === '' ? '' : `${first_name} ${last_name}`,
    is_erased: isErased,
    forgotten_at: now.toISOString(),
    last_mail_id: await findLastMailId(tx),
  }
  await enqueue(tx, { kind: ERASE_TRACES, companyId, data }, now)
  return data
}

/** Does it step by step. A job that is done a second time, as after a crash, finds less. */
export async function eraseTraces(
  db: Db,
  { companyId, data }: Pick<Job<Forgotten, number>, 'companyId' | 'data'>,
  forgetting: Forgetting,
): Promise<void> {
  const until = new Date(data.forgotten_at)
  // Answers that are kept for repeated requests show the customer, also by an address that had no token yet.
  const texts = [data.token, asciiJson(data.email).slice(1, -1), ...inBase64(data.token)]
  await inSlices(db, BEFORE_ALL_ANSWERS, (tx, after) => deleteAnswersWith(tx, companyId, texts, until, after))
  // Mails are kept for a while and show purchases. Mails of the service itself are deleted with the account.
  const { email, name = '' } = data
  const mentioned = { email, texts: name === '' ? [email] : [email, name] }
  for (const sender of data.is_erased ? [companyId, null] : [companyId])
    await inSlices(db, 0, (tx, after) => deleteMailsWith(tx, sender, mentioned, data.last_mail_id, after))
  await inBatches(db, (tx) => deleteDataChanges(tx, companyId, data.token, until))
  const customer = { companyId, customerId: data.customer_id, token: data.token, email }
  await inBatches(db, (tx) => forgetting.aBatch(tx, customer, until))
}

/** What the middle of a token looks like in base64, at each of three places: licenses of devices have claims in it. */
function inBase64(token: string): string[] {
  return [0, 1, 2].map((place) =>
    Buffer.from('   '.slice(3 - place) + token)
      .toString('base64')
      .slice(4, -4),
  )
}

const DAY_MS = 86_400_000

/** Customers have a right to it, so that jobs that were given up are tried again a day later. */
export async function requestErasureAgain(tx: Tx, now: Date): Promise<void> {
  await retryFailedJobs(tx, [ERASE_TRACES], new Date(now.getTime() - DAY_MS), now)
}
