import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { remainingUses, stateOf } from './rules.ts'
import type { Redemption, RedemptionCode, RedemptionGift } from './schema.ts'
import type { GiftState, ListedCode, RedemptionState } from './state.ts'

/** A code as the API shows it. It is presented when it is read, because its state depends on the time. */
export function presentRedemptionCode(code: ListedCode, now: Date): RedemptionCode {
  return {
    id: code.id,
    code: code.code,
    product_id: code.product_id || null,
    group_id: code.group_id,
    member_until: wireTimeOrNull(code.member_until),
    member_days: code.member_days,
    title: code.title,
    license_id: code.license_id,
    license_title: code.license_title,
    hd: code.hd,
    audio_type: code.audio_type,
    num_users: code.num_users,
    uses: code.uses_max,
    used: code.uses,
    remaining: code.revoked_at === null ? remainingUses(code) : 0,
    state: stateOf(code, now),
    order_id: code.order_id,
    line_item_id: code.line_id,
    test: code.test,
    note: code.note,
    expires_at: wireTimeOrNull(code.expires_at),
    revoked_at: wireTimeOrNull(code.revoked_at),
    gift: code.gift && presentGift(code.gift),
    created_at: wireTime(code.created_at),
    updated_at: wireTime(code.updated_at),
  }
}

function presentGift(gift: GiftState): RedemptionGift {
  return {
    email: gift.email,
    name: gift.name,
    message: gift.message,
    send_at: wireTime(gift.send_at),
    sent_at: wireTimeOrNull(gift.sent_at),
    called_back_at: wireTimeOrNull(gift.called_back_at),
  }
}

export function presentRedemption({ id, customer_token, entitlement_ids, created_at }: RedemptionState): Redemption {
  return { id, customer_token, entitlement_ids, created_at: wireTime(created_at) }
}
