import { readSender } from '#catalog/theme-settings/sender.queries.ts'
import { takeAttempt } from '#identity/attempts/guard.ts'
import type { Policy } from '#identity/attempts/rules.ts'
import { lockSessionAccount } from '#people/customers/sessions/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { saveReview } from '#selling/reviews/commands.ts'
import { newReviewMail } from '#selling/reviews/mails.ts'
import type { ReviewInput } from '#selling/reviews/state.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import type { Reviewed, Reviewer } from './queries.ts'

/** For one customer: every review that is shown makes all pages of the shop anew. */
const REVIEWS: Policy = { free: 20, longestSeconds: 3600, forgetSeconds: 86_400, forgives: 'itself' }

/** `signed out`: the session ended meanwhile. A customer who is being erased must not leave a name behind. */
export type SentReview =
  | { kind: 'sent'; isWaiting: boolean }
  | { kind: 'wait'; seconds: number }
  | { kind: 'signed out' }

/** Stores the review of a customer, and tells the owner of a new one if the shop is set so. */
export async function sendReview(
  tx: Tx,
  { customer, session }: Reviewer,
  { shop }: Pick<ShopVisit, 'shop'>,
  { product, input, baseUrl }: { product: Reviewed; input: ReviewInput; baseUrl: string },
  now: Date,
): Promise<SentReview> {
  const { companyId, customerId } = session
  if ((await lockSessionAccount(tx, session)) === undefined) return { kind: 'signed out' }
  const limits = [{ key: `review by ${customerId} for ${companyId}`, policy: REVIEWS }]
  const seconds = await takeAttempt(tx, limits, now)
  if (seconds > 0) return { kind: 'wait', seconds }
  const reviewer = { companyId, customerId, productKey: product.id }
  const { isNew, isWaiting } = await saveReview(tx, reviewer, input, shop.need_approval_of_reviews, now)
  if (isNew && shop.send_email_on_new_review) {
    const { sender } = await readSender(tx, { companyId, shopId: shop.id }, customer.language, baseUrl)
    const mail = newReviewMail(sender.company, product.own_title, input, isWaiting)
    if (mail !== undefined) await queueMail(tx, mail, now)
  }
  return { kind: 'sent', isWaiting }
}
