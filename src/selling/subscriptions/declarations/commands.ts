import { readSender } from '#catalog/theme-settings/sender.queries.ts'
import { findGroup } from '#people/groups/queries.ts'
import { titleIn } from '#people/groups/rules.ts'
import type { Tx } from '#platform/db/database.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { cancelSubscription } from '../changes.commands.ts'
import { isOver } from '../rules.ts'
import { RECORD_CANCELLATION } from './jobs.ts'
import { noticeToOwner, receiptForCustomer } from './mails.ts'
import { findDeclared, isSubscriber } from './queries.ts'
import type { CancellationDeclaration, Outcome } from './state.ts'

/** A job looks for the subscription, so that the answer takes the same time whether there is one or not. */
export function declareCancellation(
  tx: Tx,
  companyId: number,
  declaration: CancellationDeclaration,
  now: Date,
): Promise<void> {
  return enqueue(tx, { kind: RECORD_CANCELLATION, companyId, data: declaration }, now)
}

/**
 * Cancels the subscription that a declaration names for certain, and confirms what was declared, and when. Everything else is left
 * to the owner: a mistyped number does not make it void, but nobody may have the service write to strangers. Who gives a reason to
 * leave at once is cancelled as anybody else, so that nothing more is charged, and the owner decides on the rest.
 */
export async function recordCancellation(
  tx: Tx,
  companyId: number,
  declaration: CancellationDeclaration,
  baseUrl: string,
  now: Date,
): Promise<void> {
  const { shop_id, email, language } = declaration
  const [outcome, { sender }] = await Promise.all([
    cancelDeclared(tx, companyId, declaration, now),
    readSender(tx, { companyId, shopId: shop_id }, language, baseUrl),
  ])
  if (outcome.kind === 'cancelled' || (await isSubscriber(tx, companyId, email)))
    await queueMail(tx, receiptForCustomer(sender, declaration, outcome), now)
  const notice = noticeToOwner(sender.company, declaration, outcome)
  if (notice !== undefined) await queueMail(tx, notice, now)
}

async function cancelDeclared(
  tx: Tx,
  companyId: number,
  declaration: CancellationDeclaration,
  now: Date,
): Promise<Outcome> {
  const found = await findDeclared(tx, companyId, declaration)
  if (found === undefined || isOver(found) || found.status === 'incomplete') return { kind: 'left' }
  const notBefore = declaration.end === '' ? undefined : new Date(`${declaration.end}T00:00:00Z`)
  const after = await cancelSubscription(tx, { companyId }, String(found.id), { notBefore }, now)
  const group = await findGroup(tx, companyId, after.group_id)
  const title = group === undefined ? after.group_id : titleIn(group, declaration.language)
  return { kind: 'cancelled', ends_at: after.ends_at ?? after.ended_at ?? now, title }
}
