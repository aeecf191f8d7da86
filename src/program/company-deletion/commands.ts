import { recordChange } from '#history/audit/commands.ts'
import { setDeletionDay } from '#identity/companies/commands.ts'
import { findCompany } from '#identity/companies/queries.ts'
import { findUser, readManagers } from '#identity/users/queries.ts'
import type { UserState } from '#identity/users/state.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import type { Mail } from '#platform/mail/layout.ts'
import { queueMail } from '#platform/mail/queue.ts'
import type { DeletionSettings } from '#platform/settings/operator-settings.ts'
import { companyNameDiffers, deletionNotRequested, deletionRequested } from './errors.ts'
import { deletionCancelledMail, deletionRequestedMail } from './mails.ts'
import { findDeletion, lockDeletion } from './queries.ts'
import { dueAfter, isSameName, keptUntil } from './rules.ts'
import type { DeletionState } from './state.ts'

/** Refuses what would be refused anyway, before the user spends a code on it. */
export async function checkRequest(db: Db, companyId: number, typedName: string): Promise<void> {
  const company = await findCompany(db, companyId)
  if (!isSameName(typedName, company?.company_name ?? '')) throw validationFailed('company_name', companyNameDiffers())
  if ((await findDeletion(db, companyId)) !== undefined) throw deletionRequested()
}

/**
 * Asks for the deletion of a company after the waiting time. Nothing is sold from now on. Everything else goes on until the day, so
 * that it can be cancelled without a loss.
 */
export async function requestDeletion(
  tx: Tx,
  author: Author,
  { settings, baseUrl }: { settings: DeletionSettings; baseUrl: string },
  now: Date,
): Promise<DeletionState> {
  const { companyId } = author
  const companyName = (await findCompany(tx, companyId))?.company_name ?? ''
  const due = dueAfter(now, settings)
  const by = await emailOf(tx, author)
  const added = await tx
    .insertInto('company_deletions')
    .values({
      company_id: companyId,
      requested_by: by,
      requested_at: now,
      due_at: due,
      kept_until: keptUntil(due, settings),
    })
    .onConflict((on) => on.column('company_id').doNothing())
    .returningAll()
    .executeTakeFirst()
  if (added === undefined) throw deletionRequested()
  await setDeletionDay(tx, companyId, due)
  await recordChange(tx, author, 'company deletion requested', due.toISOString().slice(0, 10), now)
  const link = `${baseUrl}/admin/settings/company`
  await tellManagers(tx, companyId, (user) => deletionRequestedMail(user, { companyName, by, due, link }), now)
  return added
}

/** Cancels it, as long as the work has not begun. Everything is as it was before. */
export async function cancelDeletion(tx: Tx, author: Author, now: Date): Promise<void> {
  const { companyId } = author
  const deletion = await lockDeletion(tx, companyId)
  if (deletion === undefined || deletion.started_at !== null) throw deletionNotRequested()
  await tx.deleteFrom('company_deletions').where('company_id', '=', companyId).execute()
  await setDeletionDay(tx, companyId, null)
  await recordChange(tx, author, 'company deletion cancelled', '', now)
  const companyName = (await findCompany(tx, companyId))?.company_name ?? ''
  const by = await emailOf(tx, author)
  await tellManagers(tx, companyId, (user) => deletionCancelledMail(user, { companyName, by }), now)
}

async function emailOf(tx: Tx, { userId }: Author): Promise<string> {
  return (userId == null ? undefined : await findUser(tx, userId))?.email ?? ''
}

async function tellManagers(tx: Tx, companyId: number, mailTo: (user: UserState) => Mail, now: Date): Promise<void> {
  for (const user of await readManagers(tx, companyId))
    await queueMail(tx, { companyId, to: user.email, ...mailTo(user) }, now)
}

type Mark = 'started_at' | 'deleted_at' | 'ended_at'

/** Notes how far the deletion is. */
export async function markDeletion(tx: Tx, companyId: number, mark: Mark, now: Date): Promise<void> {
  await tx
    .updateTable('company_deletions')
    .set({ [mark]: now })
    .where('company_id', '=', companyId)
    .execute()
}
