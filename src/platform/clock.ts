/** The machine's time, for what is no company's business: leases, caches, limits, sessions, tokens, durations, logs. */
export type MachineClock = { now(): Date }

/** The time of a company, cut to whole seconds, the precision that the API shows: what was shown can be filtered by. */
export type CompanyTime = (companyId: number) => Date

/** Where the time comes from. Tests bring a clock that they can move. */
export type Clock = MachineClock & { of: CompanyTime }

export const machineClock: MachineClock = { now: () => new Date() }

/** The time of every company is that of the machine. */
export function createClock(machine: MachineClock = machineClock): Clock {
  return { now: machine.now, of: () => nowInSeconds(machine) }
}

/** The machine's time in the precision of `CompanyTime`. */
export function nowInSeconds(clock: MachineClock): Date {
  const now = clock.now().getTime()
  return new Date(now - (now % 1000))
}
