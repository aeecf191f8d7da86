import { MAIL_WIDTHS, mailSize, pictureFolder } from '#catalog/pictures/names.rules.ts'
import { readCovers } from '#catalog/pictures/queries.ts'
import { homeAddress } from '#catalog/theme-settings/domains.rules.ts'
import { findShopId } from '#catalog/theme-settings/queries.ts'
import { readSender } from '#catalog/theme-settings/sender.queries.ts'
import { recordChange } from '#history/audit/commands.ts'
import { assertMayMail } from '#identity/attempts/guard.ts'
import { fromShop } from '#identity/companies/letterhead.mails.ts'
import { getCorrespondent } from '#identity/companies/queries.ts'
import type { Tx } from '#platform/db/database.ts'
import { timeInvalid } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { type NewMail, queueMail } from '#platform/mail/queue.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { asciiJson, parseTime } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { codeGivenAway, codeNotGivable, giftNotFound, giftWaiting } from '../errors.ts'
import { presentRedemptionCode } from '../present.ts'
import {
  getRedemptionCode,
  listGiftsToOthers,
  listRedeemedAt,
  lockRedemptionCode,
  readCodeIdsOfOrder,
} from '../queries.ts'
import { countOpenGifts, objectionToRedeeming, remainingUses, stateOf } from '../rules.ts'
import type { GiftInput } from '../schema.ts'
import type { GiftState, ListedCode, RedemptionCodeState } from '../state.ts'
import { SEND_GIFT } from './jobs.ts'
import type { GiftLinks } from './links.secrets.ts'
import { giftMail } from './mails.ts'

/** How often a gift looks whether its order was paid. */
const HOLD_MINUTES = 5

function readSendAt({ send_at, ...input }: GiftInput, now: Date): Date {
  const report = new FieldReport()
  reportUnstorable(input, report)
  const time = send_at ? parseTime(send_at) : now
  if (time === undefined) report.add('send_at', timeInvalid('is not a time'))
  report.throwIfAny()
  return time === undefined || time < now ? now : time
}

/** Gives a code to somebody by mail, now or at a later time. */
export async function giveCode(
  tx: Tx,
  author: Author,
  ref: string,
  input: GiftInput,
  now: Date,
): Promise<Written<ListedCode>> {
  const { companyId } = author
  const sendAt = readSendAt(input, now)
  const code = await lockRedemptionCode(tx, companyId, ref)
  if (objectionToRedeeming(code, now) !== undefined) throw codeNotGivable()
  const language = input.language?.toLowerCase() ?? (await getCorrespondent(tx, companyId)).language
  const gift = await tx
    .insertInto('redemption_gifts')
    .values({
      company_id: companyId,
      code_id: code.id,
      email: input.email,
      name: input.name?.trim() ?? '',
      message: input.message?.trim() ?? '',
      language,
      send_at: sendAt,
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: { code?: string; constraint?: string }) => {
      throw error.code === '23505' && error.constraint === 'redemption_gifts_waiting' ? giftWaiting() : error
    })
  // After the insert, which waits for another mail with this code to be sent.
  if (await isGivenAway(tx, code, input.email)) throw codeGivenAway()
  await assertMayMail(tx, companyId, input.email, now)
  // The job is due when the mail is.
  await enqueue(tx, { kind: SEND_GIFT, companyId, data: { gift_id: gift.id } }, now, sendAt)
  await recordChange(tx, author, 'redemption code given', code.code, now)
  return written(tx, companyId, ref, now)
}

export type SoldGift = Pick<GiftState, 'email' | 'name' | 'message' | 'giver' | 'language'> & { sendAt: Date }

/** Gives all codes of an order to somebody by mail. If the order is not paid yet, the mails wait for it. */
export async function giveSoldCodes(
  tx: Tx,
  {
    company_id: companyId,
    id: orderId,
    theme_setting_id,
  }: { company_id: number; id: number; theme_setting_id: number },
  { sendAt, ...gift }: SoldGift,
  now: Date,
): Promise<void> {
  for (const code_id of await readCodeIdsOfOrder(tx, companyId, orderId)) {
    const row = { company_id: companyId, code_id, ...gift, theme_setting_id, send_at: sendAt, created_at: now }
    const { id } = await tx.insertInto('redemption_gifts').values(row).returning('id').executeTakeFirstOrThrow()
    await enqueue(tx, { kind: SEND_GIFT, companyId, data: { gift_id: id } }, now, sendAt)
  }
}

/** Do other people wait to redeem everything that is left of a code? */
async function isGivenAway(tx: Tx, code: RedemptionCodeState, email: string): Promise<boolean> {
  const sent = await listGiftsToOthers(tx, code, email)
  const [remaining, first] = [remainingUses(code), sent.toSorted((one, other) => Number(one) - Number(other))[0]]
  if (first === undefined || sent.length < remaining) return false
  return countOpenGifts(sent, await listRedeemedAt(tx, code, first)) >= remaining
}

async function written(tx: Tx, companyId: number, ref: string, now: Date): Promise<Written<ListedCode>> {
  const state = await getRedemptionCode(tx, companyId, ref)
  return { state, document: asciiJson(presentRedemptionCode(state, now)) }
}

/** Stops a gift that was not sent yet. */
export async function callGiftBack(tx: Tx, author: Author, ref: string, now: Date): Promise<Written<ListedCode>> {
  const code = await lockRedemptionCode(tx, author.companyId, ref)
  const called = await tx
    .updateTable('redemption_gifts')
    .set({ called_back_at: now })
    .where('company_id', '=', author.companyId)
    .where('code_id', '=', code.id)
    .where('sent_at', 'is', null)
    .where('called_back_at', 'is', null)
    .executeTakeFirst()
  if (called.numUpdatedRows === 0n) throw giftNotFound()
  await recordChange(tx, author, 'redemption gift called back', code.code, now)
  return written(tx, author.companyId, ref, now)
}

/** Mails a gift. One that was called back, or whose code ended meanwhile, is not sent. */
export async function sendGift(
  tx: Tx,
  { companyId, giftId, baseUrl, links }: { companyId: number; giftId: number; baseUrl: string; links: GiftLinks },
  now: Date,
): Promise<void> {
  const gift = await tx
    .selectFrom('redemption_gifts')
    .selectAll()
    .where('company_id', '=', companyId)
    .where('id', '=', giftId)
    .forUpdate()
    .executeTakeFirst()
  if (gift === undefined || gift.sent_at !== null || gift.called_back_at !== null) return
  const code = await getRedemptionCode(tx, companyId, String(gift.code_id))
  if (stateOf(code, now) === 'on_hold') {
    // The order is not paid yet. One that never is gets cancelled, which ends its codes.
    const later = new Date(now.getTime() + HOLD_MINUTES * 60_000)
    await enqueue(tx, { kind: SEND_GIFT, companyId, data: { gift_id: giftId } }, now, later)
    return
  }
  const isOver = objectionToRedeeming(code, now) !== undefined
  await tx
    .updateTable('redemption_gifts')
    .set(isOver ? { called_back_at: now } : { sent_at: now })
    .where('company_id', '=', companyId)
    .where('id', '=', giftId)
    .execute()
  if (isOver) return
  await queueMail(tx, await writeGift(tx, gift, code, { baseUrl, links }), now)
}

async function writeGift(
  tx: Tx,
  gift: GiftState,
  code: ListedCode,
  { baseUrl, links }: { baseUrl: string; links: GiftLinks },
): Promise<NewMail> {
  const { company_id: companyId, language } = gift
  const shopId = await findShopId(tx, companyId, gift.theme_setting_id ?? 0)
  const [{ sender, face }, covers] = await Promise.all([
    readSender(tx, { companyId, shopId: shopId ?? 0 }, language, baseUrl),
    readCovers(tx, companyId, [code.product_key]),
  ])
  const cover = covers.get(code.product_key)
  const { country, ...letter } = giftMail({
    gift,
    code,
    shopName: sender.shopName,
    company: sender.company,
    link: face && `${homeAddress(face, baseUrl)}${links.pathOf(companyId, gift.id)}`,
    picture: cover && `${baseUrl}/${pictureFolder(companyId, cover.id)}/${mailSize(cover.file, MAIL_WIDTHS.gift)}`,
  })
  return fromShop({ ...sender, country }, { to: gift.email, ...letter })
}
