import { withdrawOffer } from '#catalog/marketplace/commands.ts'
import { findOfferOf } from '#catalog/marketplace/queries.ts'
import { record } from '#history/audit/commands.ts'
import { closeCompany, reduceCompany } from '#identity/companies/commands.ts'
import { findCompany } from '#identity/companies/queries.ts'
import { announceRevocation } from '#identity/grants/commands.ts'
import { readManagers } from '#identity/users/queries.ts'
import { nowInSeconds } from '#platform/clock.ts'
import type { Tx } from '#platform/db/database.ts'
import { isBeingCopied } from '#platform/db/table-copies.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { deleteOrphanedPublications } from '#rights/publications/encrypt.worker.ts'
import { markDeletion } from './commands.ts'
import { deletionStartedMail } from './mails.ts'
import { findDeletion, readDueCompanies, takeDeletion } from './queries.ts'
import type { DeletionState } from './state.ts'
import { LAST_STEPS, SERVICE, STEPS, type Step } from './steps.commands.ts'

type Dependencies = Pick<WorkDependencies, 'db' | 'clock' | 'files' | 'log'>

/** Deletes what is due of every company. One that fails does not keep the others waiting, and is tried again with the next run. */
export async function deleteDueCompanies(work: Dependencies): Promise<void> {
  for (const companyId of await readDueCompanies(work.db, work.clock.now())) {
    try {
      await deleteCompany(work, companyId)
    } catch (error) {
      work.log.error({ err: error, company: companyId }, 'the deletion of a company broke off: it is tried again')
    }
  }
}

/**
 * Deletes a company in many small transactions. A process that is killed leaves the rest to the next run, and of two processes one
 * works: each transaction locks the deletion.
 */
async function deleteCompany(work: Dependencies, companyId: number): Promise<void> {
  const { db, clock, files } = work
  const deletion = await findDeletion(db, companyId)
  if (deletion === undefined) return
  if (deletion.deleted_at === null) {
    if (!(await once(work, companyId, start))) return
    for (const step of STEPS) if (!(await untilDone(work, companyId, step))) return
    // A backup that is being made still needs the files. The next run finds them.
    if (await isBeingCopied(db)) return
    for (const folder of ['pictures', 'stamped']) await files.deleteAll(`${folder}/${companyId}`)
    await deleteOrphanedPublications(work, companyId)
    await once(work, companyId, finish)
  }
  if (deletion.kept_until > clock.now()) return
  for (const step of LAST_STEPS) if (!(await untilDone(work, companyId, step))) return
  await once(work, companyId, end)
}

/** Repeats a step until it finds nothing to do. False if another process is at it. */
async function untilDone({ db, clock }: Dependencies, companyId: number, step: Step): Promise<boolean> {
  for (;;) {
    const done = await inTransaction(db, async (tx) =>
      (await takeDeletion(tx, companyId)) === undefined ? undefined : step(tx, companyId, nowInSeconds(clock)),
    )
    if (done === undefined) return false
    if (done === 0) return true
  }
}

/** Does something in the one transaction in which the deletion is locked. False if another process is at it. */
async function once(
  { db, clock }: Dependencies,
  companyId: number,
  work: (tx: Tx, deletion: DeletionState, now: Date) => Promise<void>,
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const deletion = await takeDeletion(tx, companyId)
    if (deletion !== undefined) await work(tx, deletion, nowInSeconds(clock))
    return deletion !== undefined
  })
}

/** Closes the company. From then on there is no way back. */
async function start(tx: Tx, { company_id, started_at, kept_until }: DeletionState, now: Date): Promise<void> {
  if (started_at !== null) return
  const companyName = (await findCompany(tx, company_id))?.company_name ?? ''
  // It belongs to no company, because the mails of this one are deleted.
  for (const user of await readManagers(tx, company_id))
    await queueMail(
      tx,
      { companyId: null, to: user.email, ...deletionStartedMail(user, { companyName }, kept_until) },
      now,
    )
  if ((await findOfferOf(tx, company_id)) !== undefined) await withdrawOffer(tx, { companyId: company_id }, now)
  await closeCompany(tx, company_id, now)
  await announceRevocation(tx)
  await markDeletion(tx, company_id, 'started_at', now)
}

async function finish(tx: Tx, { company_id, deleted_at }: DeletionState, now: Date): Promise<void> {
  if (deleted_at !== null) return
  await reduceCompany(tx, company_id, 'what invoices need', now)
  const subject = (await findCompany(tx, company_id))?.company_name ?? ''
  await record(tx, { companyId: company_id, action: 'company deleted', subject }, SERVICE, now)
  await announceRevocation(tx)
  await markDeletion(tx, company_id, 'deleted_at', now)
}

async function end(tx: Tx, { company_id, ended_at }: DeletionState, now: Date): Promise<void> {
  if (ended_at !== null) return
  await reduceCompany(tx, company_id, 'name', now)
  await markDeletion(tx, company_id, 'ended_at', now)
}
