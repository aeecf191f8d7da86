import { Problem, problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Redemption codes')

export const redemptionCodeNotFound = defineProblem<string>('redemption_code_not_found', {
  code: 'not_found',
  message: (id) => `There is no redemption code ${id}.`,
  when: 'The redemption code does not exist, or belongs to another company.',
  remedy: 'Read the list of redemption codes for their ids.',
})

export const codeMistyped = defineFault('redemption_code_mistyped', {
  message: 'is not typed right: compare each character',
  when: 'The code has the wrong length, or its last character does not fit the others. Companies that have imported codes of their own answer `redemption_code_unknown` instead, because nothing checks those.',
  remedy: 'Ask the customer to type the code again. This does not count as a guess.',
})

export const codeUnknown = defineFault('redemption_code_unknown', {
  message: 'is not a code of this shop',
  when: 'The company has no such redemption code.',
  remedy: 'Ask the customer which shop the code is for.',
})

export function isUnknownCode(error: unknown): boolean {
  return error instanceof Problem && error.reason === codeUnknown().refusal.reason
}

export const codeUsedUp = defineFault('redemption_code_used_up', {
  message: 'was redeemed already',
  when: 'The code was redeemed as often as it can be.',
  remedy: "Look in the customer's content: it may be there already.",
})

export const codeExpired = defineFault('redemption_code_expired', {
  message: 'has expired',
  when: 'The time until which the code could be redeemed is over.',
  remedy: 'Change `expires_at` of the code, or make another one.',
})

export const codeRevoked = defineFault('redemption_code_revoked', {
  message: 'is no longer valid',
  when: 'The company revoked the code, or its order was refunded or cancelled.',
  remedy: 'Make another code if the customer should have the content.',
})

export const codeOnHold = defineFault('redemption_code_on_hold', {
  message: 'cannot be redeemed before its order is confirmed',
  when: 'The code belongs to an order that is not confirmed yet.',
  remedy: 'Confirm the order.',
})

export const tooManyGuesses = defineProblem<number>('too_many_redemption_guesses', {
  code: 'rate_limited',
  message: (seconds) =>
    `There were too many codes that do not exist: try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
  when: 'Too many unknown codes were sent for this customer, or from this network address.',
  remedy: 'Wait for `Retry-After` seconds.',
})

export const redeemerDisabled = defineProblem('redeeming_customer_disabled', {
  code: 'conflict',
  message: 'This customer is disabled, and can redeem nothing.',
  when: 'A code is redeemed for a disabled customer.',
  remedy: 'Enable the customer first.',
})

export const codeGroupClosed = defineFault('redemption_code_group_closed', {
  message: 'is for a membership that is closed',
  when: 'The code makes somebody a member of a group that is closed or was deleted.',
  remedy: 'Open the group again, or make another code.',
})

export const codeGivesOneThing = defineFault('redemption_code_gives_one_thing', {
  message: 'cannot be beside product_id: a code gives a product or a membership',
  when: 'A code is made for a product and for a group.',
  remedy: 'Make a code for each of them.',
})

export const membershipWithoutGroup = defineFault('membership_without_group', {
  message: 'needs a group_id',
  when: 'A code for a product says until when somebody is a member.',
  remedy: 'Send `group_id` for a code that makes members, or leave the end out.',
})

export const membershipEndsTwice = defineFault('membership_ends_twice', {
  message: 'cannot be beside member_until',
  when: 'A code says until when somebody is a member, and also for how many days.',
  remedy: 'Send one of both.',
})

export const notRedeemable = defineFault('product_not_redeemable', {
  message: 'is not content that a code can give',
  when: 'A code is made for goods, for a service, or for a license that ships content.',
  remedy: 'Make codes for products that are delivered at once.',
})

export const mirrorNotGiven = defineFault('mirrored_product_not_given', {
  message: 'belongs to another company, which would get no share: sell it with generate_codes instead',
  when: 'A code is made for a product of the marketplace.',
  remedy: 'Order the product with `generate_codes`.',
})

export const expiryPassed = defineFault('redemption_expiry_passed', {
  message: 'must be in the future',
  when: 'A new code would have expired already.',
  remedy: 'Send a later time, or leave it out.',
})

export const giftWaiting = defineProblem('redemption_gift_waiting', {
  code: 'conflict',
  message: 'This code is already waiting to be mailed to somebody.',
  when: 'A code is given while another mail with it waits.',
  remedy: 'Call the waiting gift back first.',
})

export const giftNotFound = defineProblem('redemption_gift_not_found', {
  code: 'not_found',
  message: 'No mail with this code is waiting.',
  when: 'A gift is called back that was sent, was called back before, or never existed.',
  remedy: 'Read the redemption code: `gift` shows the last one.',
})

export const codeNotGivable = defineProblem('redemption_code_not_givable', {
  code: 'conflict',
  message: 'This code cannot be redeemed now, so it cannot be given to anybody.',
  when: 'A gift is made of a code that is used up, expired, revoked, or waits for its order to be confirmed.',
  remedy: 'Give another code.',
})

export const codeGivenAway = defineProblem('redemption_code_given_away', {
  code: 'conflict',
  message: 'This code was already given to as many people as can still redeem it.',
  when: 'A code is given to another person although the gifts that were sent take all uses that are left.',
  remedy: 'Give another code. The same code can be mailed again to the same address.',
})

export const tooManyUses = defineFault<number>('too_many_code_uses', {
  message: (maximum) => `may have at most ${maximum} uses of one redemption code`,
  when: 'A line item with a redemption code is for more users than one code can have uses.',
  remedy: 'Divide the line item into several.',
})

export const ownCodeUnreadable = defineFault<number>('own_code_unreadable', {
  message: (maximum) => `may have letters from A to Z, digits and hyphens only, at most ${maximum} of them`,
  when: 'A code that is imported has other characters than letters without accents, digits, hyphens and blanks, or too many.',
  remedy: 'Compare it with what is printed. Codes with other characters cannot be used here.',
})

export const ownCodeTooShort = defineFault<{ letters: number; digits: number }>('own_code_too_short', {
  message: ({ letters, digits }) =>
    `is too short, so that people would find it by guessing: it needs ${letters} characters, or ${digits} if all of them are digits`,
  when: 'A code that is imported is so short that somebody could find it by guessing.',
  remedy: 'Give people another code for it: the service makes codes that nobody can guess.',
})

export const ownCodeTooSimple = defineFault('own_code_too_simple', {
  message: 'is too simple, so that people would find it by guessing',
  when: 'A code that is imported has fewer than four different characters, or they follow each other, as in 1234567890.',
  remedy: 'Give people another code for it: the service makes codes that nobody can guess.',
})

export const ownCodeTaken = defineFault('own_code_taken', {
  message: 'is a code for something else already',
  when: 'A code that is imported is a code of the company already, for another product or under another license.',
  remedy: 'Leave the line out, or correct its product and its license.',
})
