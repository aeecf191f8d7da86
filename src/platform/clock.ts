/** Where the time comes from. Tests bring a clock that they can move. */
export type Clock = { now(): Date }

export const systemClock: Clock = { now: () => new Date() }

/** The clock's time cut to whole seconds, the precision that the interface shows: what was shown can be filtered by. */
export function nowInSeconds(clock: Clock): Date {
  const now = clock.now().getTime()
  return new Date(now - (now % 1000))
}
