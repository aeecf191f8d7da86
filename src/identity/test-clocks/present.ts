import { wireTime } from '#platform/wire/times.ts'
import { HAPPENED_KINDS } from './happened.facts.ts'
import { timeAt } from './rules.ts'
import type { TestClock } from './schema.ts'
import type { ClockState, Report } from './state.ts'

export function presentTestClock(clock: ClockState, report: Report | undefined, machine: Date): TestClock {
  const { moved_from, moved_to, moves_to, stopped_because } = clock
  const base = { now: wireTime(timeAt(clock, machine)), status: moves_to === null ? 'running' : 'moving' } as const
  if (report === undefined || moved_from === null || moved_to === null) return { ...base, last_move: null }
  const events = HAPPENED_KINDS.flatMap((kind) => report[kind].first.map(({ id, at }) => ({ kind, id, at })))
  return {
    ...base,
    last_move: {
      from: wireTime(moved_from),
      to: wireTime(moved_to),
      stopped_because,
      counts: Object.fromEntries(HAPPENED_KINDS.map((kind) => [kind, report[kind].count])) as Record<
        (typeof HAPPENED_KINDS)[number],
        number
      >,
      events: events
        .sort((one, other) => one.at.getTime() - other.at.getTime())
        .map(({ kind, id, at }) => ({ kind, at: wireTime(at), id })),
    },
  }
}
