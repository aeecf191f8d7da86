import { FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { parseTime } from '#platform/wire/times.ts'
import type { PersonState } from './state.ts'

/** Throws if the input has a text that cannot be stored. */
export function assertStorable(input: object): void {
  const report = new FieldReport()
  reportUnstorable(input, report)
  report.throwIfAny()
}

/** A bound after a change: null takes it away, and one that is not named stays. The schema has checked the time. */
export function changedBound(before: Date | null, text: string | null | undefined): Date | null {
  if (text === undefined) return before
  return text === null ? null : (parseTime(text) ?? before)
}

/** The state after a change, with the time of the change unless nothing has changed. */
export function withTime<State extends PersonState>(before: State, after: State, now: Date): State {
  return isSame(before, after) ? before : { ...after, updated_at: now }
}

export function isSame<State extends PersonState>(before: State, after: State): boolean {
  return JSON.stringify({ ...before, updated_at: null }) === JSON.stringify({ ...after, updated_at: null })
}

export type Follower = { email: string; token: string }

/** The entries that have changed, and those that are deleted because another one stays for the same person. */
export type Following<State> = { changed: State[]; dropped: { entry: State; survivor: State }[] }

/**
 * The entries of a customer after the company has come to know the customer, or after the address has changed. Entries
 * with the address become the customer's. Two of them for the same group or shop are one person, so they are merged into
 * the one that was the customer's before.
 */
export function followed<State extends PersonState>(
  entries: readonly State[],
  placeOf: (entry: State) => string,
  merge: (kept: State, other: State) => State,
  { email, token }: Follower,
  now: Date,
): Following<State> {
  const places = Map.groupBy(entries, (entry) => `${entry.company_id} ${placeOf(entry)}`)
  const changed: State[] = []
  const dropped: Following<State>['dropped'] = []
  for (const alike of places.values()) {
    const before = alike.find((entry) => entry.customer_token === token) ?? alike[0]
    if (before === undefined) continue
    const others = alike.filter((entry) => entry !== before)
    const after = withTime(before, { ...others.reduce(merge, before), email, customer_token: token }, now)
    if (after !== before) changed.push(after)
    dropped.push(...others.map((entry) => ({ entry, survivor: after })))
  }
  return { changed, dropped }
}

/** The later of two ends; null is no end. */
export function laterEnd(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return null
  return one > other ? one : other
}

/** The earlier of two starts; null is no start. */
export function earlierStart(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return null
  return one < other ? one : other
}
