/** The machine's time, for what is no company's business: leases, caches, limits, sessions, tokens, durations, logs. */
export type MachineClock = { now(): Date }

/** The time of a company, cut to whole seconds, the precision that the API shows: what was shown can be filtered by. */
export type CompanyTime = (companyId: number) => Date

/** Companies with a time of their own. All others have that of the machine. */
export type OwnTimes = {
  /** Undefined: the company has the time of the machine. */
  find(companyId: number, machine: Date): Date | undefined
  /** Those whose clock is being moved: their work is done by whoever moves it, and by nobody else. */
  moving(): readonly number[]
}

/** What background work that knows no company asks for. */
export type WorkClock = MachineClock & { own?: OwnTimes }

/** Where the time comes from. Tests bring a clock that they can move. */
export type Clock = MachineClock & { of: CompanyTime; own: OwnTimes }

export const machineClock: MachineClock = { now: () => new Date() }

const NONE: OwnTimes = { find: () => undefined, moving: () => [] }

export function createClock(machine: MachineClock = machineClock, own: OwnTimes = NONE): Clock {
  const of: CompanyTime = (companyId) => {
    const now = nowInSeconds(machine)
    return own.find(companyId, now) ?? now
  }
  return { now: machine.now, of, own }
}

/** The machine's time in the precision of `CompanyTime`. */
export function nowInSeconds(clock: MachineClock): Date {
  const now = clock.now().getTime()
  return new Date(now - (now % 1000))
}
