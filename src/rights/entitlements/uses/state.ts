import type { Code } from '../rights/rules.ts'
import type { Action } from '../rights/state.ts'

/** An action that somebody asked for, and what became of it. */
export type UseState = {
  company_id: number
  id: number
  entitlement_id: number
  /** A use counts; a check only asks. */
  kind: 'use' | 'check'
  action: Action
  code: Code
  device_id: string | null
  country: string | null
  client_time: Date | null
  app_id: number
  created_at: Date
}

/** How a product was used on a day, or since the first day of a week or month, as `2026-05-01`. */
export type UsageDay = {
  date: string
  id: number
  product_id: string
  name: string
  plays: number
  downloads: number
  /** How long it was played, where players report the place. */
  seconds: number
  /** How many files somebody has begun, and how many of those begun at any time were finished. */
  started: number
  finished: number
}
