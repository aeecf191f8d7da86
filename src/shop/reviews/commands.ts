import { readSender } from '#catalog/theme-settings/sender.queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { queueMail } from '#platform/mail/queue.ts'
import { saveReview } from '#selling/reviews/commands.ts'
import { newReviewMail } from '#selling/reviews/mails.ts'
import type { ReviewInput } from '#selling/reviews/state.ts'
import type { ShopVisit } from '#shop/site/state.ts'
import type { Reviewed, Reviewer } from './queries.ts'

/** Stores the review of a customer, and tells the owner of a new one if the shop is set so. */
export async function sendReview(
  tx: Tx,
  { customer, session }: Reviewer,
  { shop }: Pick<ShopVisit, 'shop'>,
  { product, input, baseUrl }: { product: Reviewed; input: ReviewInput; baseUrl: string },
  now: Date,
): Promise<void> {
  const { companyId, customerId } = session
  const isWaiting = shop.need_approval_of_reviews
  const isNew = await saveReview(tx, { companyId, customerId, productKey: product.id }, input, isWaiting, now)
  if (!isNew || !shop.send_email_on_new_review) return
  const { sender } = await readSender(tx, { companyId, shopId: shop.id }, customer.language, baseUrl)
  const mail = newReviewMail(sender.company, product.own_title, input, isWaiting)
  if (mail !== undefined) await queueMail(tx, mail, now)
}
