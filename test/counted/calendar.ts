import { nowInSeconds } from '#platform/clock.ts'
import { dayAt } from '#selling/orders/statistics/rules.ts'
import type { Service } from '../harness.ts'

/** The time of the service, and the days of a company in its time zone. */
export function calendarOf({ clock }: Service, offset: number) {
  const now = () => nowInSeconds(clock)
  return { now, day: (time: Date = now()) => dayAt(time, offset) }
}

export type Calendar = ReturnType<typeof calendarOf>
