import { readSender } from '#catalog/theme-settings/sender.queries.ts'
import { lockSessionAccount } from '#people/customers/sessions/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { type SavedReview, saveReview } from '#selling/reviews/commands.ts'
import { newReviewMail } from '#selling/reviews/mails.ts'
import type { ReviewInput } from '#selling/reviews/state.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import type { Reviewed, Reviewer } from './queries.ts'

/**
 * Stores the review of a customer, and tells the owner of a new one if the shop is set so. Undefined if the session ended
 * meanwhile: a customer who is being erased must not leave a name behind.
 */
export async function sendReview(
  tx: Tx,
  { customer, session }: Reviewer,
  { shop }: Pick<ShopVisit, 'shop'>,
  { product, input, baseUrl }: { product: Reviewed; input: ReviewInput; baseUrl: string },
  now: Date,
): Promise<SavedReview | undefined> {
  const { companyId, customerId } = session
  if ((await lockSessionAccount(tx, session)) === undefined) return undefined
  const reviewer = { companyId, customerId, productKey: product.id }
  const saved = await saveReview(tx, reviewer, input, shop.need_approval_of_reviews, now)
  if (!saved.isNew || !shop.send_email_on_new_review) return saved
  const { sender } = await readSender(tx, { companyId, shopId: shop.id }, customer.language, baseUrl)
  const mail = newReviewMail(sender.company, product.own_title, input, saved.isWaiting)
  if (mail !== undefined) await queueMail(tx, mail, now)
  return saved
}
