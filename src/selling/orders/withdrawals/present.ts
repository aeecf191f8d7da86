import { wireTime } from '#platform/wire/times.ts'
import type { OrderWithdrawal } from './schema.ts'
import type { WithdrawalState } from './state.ts'

export function presentWithdrawal({ received_at, ...withdrawal }: WithdrawalState): OrderWithdrawal {
  return { ...withdrawal, received_at: wireTime(received_at) }
}
