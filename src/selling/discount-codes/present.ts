import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import type { DiscountCode } from './schema.ts'
import type { DiscountCodeState } from './state.ts'

/** A discount code as the API shows it. It is presented when it is read, because every order changes its count. */
export function presentDiscountCode(code: DiscountCodeState): DiscountCode {
  return {
    id: code.id,
    code: code.code,
    type: code.type,
    amount: code.amount,
    starts_at: wireTimeOrNull(code.starts_at),
    ends_at: wireTimeOrNull(code.ends_at),
    usage_limit: code.usage_limit,
    usage_count: code.used,
    created_at: wireTime(code.created_at),
    updated_at: wireTime(code.updated_at),
  }
}
