import { OWN_PATHS } from '#people/customers/rules.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { redeemCode } from '#rights/redemption-codes/redeem.commands.ts'
import type { GiftState, RedemptionCodeState } from '#rights/redemption-codes/state.ts'
import { takeBuyer } from '#selling/orders/buyers/commands.ts'
import { askForMail } from '#shop/sign-in/sessions/commands.ts'

type Code = Pick<RedemptionCodeState, 'code'>

/** Takes the gift into the account of somebody who is signed in. Returns what it gives, if it is one thing. */
export async function acceptAsMember(
  tx: Tx,
  { companyId, customerId }: CustomerSession,
  { code }: Code,
  now: Date,
): Promise<number | undefined> {
  const { state } = await redeemCode(tx, companyId, String(customerId), code, now)
  return state.length === 1 ? state[0]?.id : undefined
}

type Place = { companyId: number; shopId: number; address: string; base: string; language: string }
type Guest = { email: string; acceptLanguage: string; country: string }

/**
 * Gives the gift to somebody who has named an address, and mails a link to it. The address that the gift was mailed to is
 * known to be right, so the gift is its at once. Another one may be mistyped: the gift waits until its link was followed.
 */
export async function acceptAsGuest(
  tx: Tx,
  { base, language, ...place }: Place,
  { gift, code, path }: { gift: Pick<GiftState, 'email' | 'name'>; code: Code; path: string },
  { email, acceptLanguage, country }: Guest,
  now: Date,
): Promise<void> {
  const input = { email, language: language.split('-')[0] ?? 'en' }
  const hints = { country, acceptLanguage }
  const buyer = { kind: 'guest', input, paths: OWN_PATHS, hints } as const
  const { account } = await takeBuyer(tx, place, buyer, now)
  const isMailed = email.toLowerCase() === gift.email.toLowerCase()
  const given = isMailed ? (await redeemCode(tx, place.companyId, String(account.id), code.code, now)).state : []
  const [owned] = given
  // A membership gives nothing that could be opened at once.
  const content = `${base}/my-content${owned === undefined ? '' : `/${owned.id}/open`}`
  const returnTo = isMailed ? content : path
  const request = { purpose: 'sign in', email: account.email, returnTo, firstName: '', lastName: '', language } as const
  await askForMail(tx, { ...place, ...request }, now)
}
