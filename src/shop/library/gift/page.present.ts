import { wireTime } from '#platform/wire/times.ts'
import { stateOf } from '#rights/redemption-codes/rules.ts'
import { codeInWords } from '#rights/redemption-codes/sentences.rules.ts'
import type { GiftState, RedemptionCodeState } from '#rights/redemption-codes/state.ts'
import { kindOf, type Part, titleOfSold } from '#shop/catalog-pages/cards.present.ts'
import { daysIn } from '#shop/site/rights-sentences.rules.ts'
import type { Place } from '#shop/themes/formats.rules.ts'

type Given = {
  gift: GiftState
  code: RedemptionCodeState
  part: Part | undefined
  token: string
  /** What was typed; undefined: nothing yet. */
  email: string | undefined
  place: Place
}

/** The values of the page on which a gift is accepted. */
export function giftModel({ gift, code, part, token, email, place }: Given, now: Date) {
  const type = code.contents[0]?.product_type ?? 0
  const state = stateOf(code, now)
  return {
    /** The end of the address of the page. */
    token,
    gift: {
      ...kindOf(type),
      title: titleOfSold(code.title, part),
      picture: part?.picture,
      /** Who gives it; empty if nobody has said so. */
      giver: gift.giver,
      /** The greeting, line by line. */
      lines: gift.message === '' ? [] : gift.message.split(/\r\n|\r|\n/),
      /** What it allows, one sentence each. */
      terms: codeInWords(code, place.language, daysIn(place)),
      /** Until when it can be accepted; empty: for ever. */
      expires_at: code.expires_at === null ? '' : `${wireTime(code.expires_at)}Z`,
      /** `active`, or why it cannot be accepted. */
      state,
    },
    is_open: state === 'active',
    form: { email: email ?? gift.email },
  }
}
