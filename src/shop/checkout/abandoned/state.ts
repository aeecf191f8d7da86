import type { DayRecord } from '#selling/orders/statistics/rules.ts'
import type { Contents } from '../state.ts'

/** A cart that was left, with everything that its value depends on. */
export type LeftCart = Contents & {
  company_id: number
  id: number
  theme_setting_id: number
  /** Empty: nobody knows. */
  country: string
  currency: string
  touched_at: Date
}

/** A day of carts: those that were begun, and the record of those that were abandoned. */
export type CartDay = DayRecord & { carts: number }
