import type { LicenseState } from '#catalog/licenses/state.ts'
import { countryCode } from '#identity/addresses/countries.facts.ts'
import { countryUnknown } from '#identity/addresses/errors.ts'
import { endBeforeStart } from '#platform/errors/faults.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import { readTime } from '#platform/wire/times.ts'
import { addPeriod, endOf, nextYearOf, startOf, unitOf } from '../rights/periods.rules.ts'
import {
  afterAction,
  type Code,
  clockToNote,
  decide,
  HOLD_MS,
  NO_USAGE,
  needsDevice,
  toldCode,
} from '../rights/rules.ts'
import type { Action, Ask, Rights } from '../rights/state.ts'
import { isNews } from '../rules.ts'
import type { LicenseTrialInput } from './schema.ts'

/** Something that a customer does, at a time. */
export type Use = { at: Date; action: Action; device: string | null; client_time: Date | null; pages: number }

export type Situation = { rights: Rights; uses: readonly Use[]; others: number; asked: Use }

/** What is tried: the license, whom it is sold to, and what happens then. */
export type Trial = {
  license: LicenseState
  situation: Situation
  country: string | undefined
  until: Date | undefined
}

const FILM = 1

/** Reads a situation, and reports what cannot be. */
export function readSituation(license: LicenseState, input: LicenseTrialInput): Trial {
  const report = new FieldReport()
  const { bought_at, product_type = FILM, num_users: users = 1, country, other_devices: others = 0 } = input
  const acquired_at = readTime(bought_at)
  const readUse = ({ at, action, device, client_time, pages }: LicenseTrialInput['asked'], path: string): Use => {
    const time = readTime(at)
    if (time < acquired_at) report.add(`${path}.at`, endBeforeStart('must not be before the purchase'))
    return { at: time, action, device: device ?? null, client_time: readTime(client_time) ?? null, pages: pages ?? 1 }
  }
  const asked = readUse(input.asked, 'asked')
  const uses = (input.uses ?? []).map((use, index) => readUse(use, `uses[${index}]`))
  const sold = country === undefined ? undefined : countryCode(country)
  if (country !== undefined && sold === undefined) report.add('country', countryUnknown('is not a country'))
  const until = readTime(input.until)
  if (until !== undefined && until < asked.at) report.add('until', endBeforeStart('must not be before what is asked'))
  report.throwIfAny()
  const rights: Rights = {
    terms: license,
    product_type,
    users,
    acquired_at,
    released_at: null,
    first_used_at: null,
    revoked: null,
    on_hold: false,
    suspended: false,
    usage: NO_USAGE,
    membership: null,
  }
  return { license, situation: { rights, uses, others, asked }, country: sold, until }
}

/** What is known of the devices of a customer. */
type Devices = ReadonlyMap<string, { last_seen_at: Date; last_client_time: Date | null }>

type Standing = { rights: Rights; devices: Devices }
export type Step = { use: Use; before: Rights; ask: Ask; code: Code; after: Rights }

/** Does what the service does when a player uses something, in memory. */
function step({ rights, devices }: Standing, use: Use): Step & { standing: Standing } {
  const { at, device, client_time } = use
  const known = device === null ? undefined : devices.get(device)
  const ask: Ask = {
    action: use.action,
    device: device === null ? null : { id: device, last_client_time: known?.last_client_time ?? null },
    client_time,
    pages: use.pages,
  }
  const decided = decide(rights, ask, at)
  const after = afterAction(rights, ask, decided, at, new Date(at.getTime() + HOLD_MS))
  const code = toldCode(decided, after)
  const noted = clockToNote(rights, client_time, at)
  const facts = {
    is_known: known !== undefined,
    last_seen_at: known?.last_seen_at ?? null,
    last_client_time: known?.last_client_time ?? null,
  }
  const isNoted = device !== null && code === 'allowed' && needsDevice(ask) && isNews(facts, noted, at)
  const standing = { rights: after, devices: isNoted ? withDevice(devices, device, noted, at) : devices }
  return { use, before: rights, ask, code, after, standing }
}

/** A device keeps the latest time that it has shown. */
function withDevice(devices: Devices, device: string, client_time: Date | null, now: Date): Devices {
  const last = devices.get(device)?.last_client_time ?? null
  const latest = last === null || (client_time !== null && client_time > last) ? client_time : last
  return new Map([...devices, [device, { last_seen_at: now, last_client_time: latest }]])
}

/** The other devices begin to play, and then what is asked happens. */
function answerAt(standing: Standing, { others, asked }: Situation, at: Date): Step {
  let now = standing
  for (let number = 1; number <= others; number += 1)
    now = step(now, { at, action: 'play', device: `other ${number}`, client_time: null, pages: 1 }).standing
  return step(now, { ...asked, at, client_time: clockAt(asked, at) })
}

/** At another time, the clock of the device is wrong by as much. */
function clockAt({ at, client_time }: Use, now: Date): Date | null {
  return client_time === null ? null : new Date(client_time.getTime() + now.getTime() - at.getTime())
}

const inOrder = (uses: readonly Use[]) => [...uses].sort((one, other) => one.at.getTime() - other.at.getTime())

/** What came of the uses until the question, and the answer to it. */
export function tryOut(situation: Situation): { uses: Step[]; answer: Step } {
  const { rights, uses, asked } = situation
  let standing: Standing = { rights, devices: new Map() }
  const steps: Step[] = []
  for (const use of inOrder(uses).filter(({ at }) => at <= asked.at)) {
    const { standing: next, ...done } = step(standing, use)
    steps.push(done)
    standing = next
  }
  return { uses: steps, answer: answerAt(standing, situation, asked.at) }
}

const YEAR_MS = 365 * 86_400_000
/** Annual counts begin again as often as somebody looks ahead. */
const YEARS_MAX = 20

/** How far it is worth looking: a little beyond the end, or a year if there is none. */
export function horizonOf({ rights, uses, asked }: Situation): Date {
  const start = startOf(rights)
  const [first = null] = inOrder(uses)
  const used = { ...rights, first_used_at: first === null ? null : first.at }
  const { expire_after_first_use: count, expire_after_first_use_mode: mode } = rights.terms
  const afterUse = count === 0 ? null : addPeriod(start, { count, unit: unitOf(mode) })
  const end = endOf(used) ?? afterUse
  const length = end === null ? YEAR_MS : (end.getTime() - start.getTime()) * 1.25
  return new Date(Math.max(asked.at.getTime(), start.getTime() + Math.max(length, 3_600_000)))
}

export type Span = { from: Date; code: Code }

/** What the same question would get from the purchase on: the times at which the answer becomes another one. */
export function spansUntil(situation: Situation, until: Date): Span[] {
  const { rights } = situation
  const uses = inOrder(situation.uses)
  let standing: Standing = { rights, devices: new Map() }
  const spans: Span[] = []
  const considered = (from: Date, to: Date) => {
    for (const at of turnsOf(standing, from, to)) {
      const { code } = answerAt(standing, situation, at)
      if (spans.at(-1)?.code !== code) spans.push({ from: at, code })
    }
  }
  let from = rights.acquired_at
  for (const use of uses.filter(({ at }) => at >= rights.acquired_at && at <= until)) {
    if (use.at > from) considered(from, use.at)
    standing = step(standing, use).standing
    from = use.at
  }
  considered(from, new Date(until.getTime() + 1))
  return spans
}

/** The times from one to another at which an answer can change, while nothing is used. */
function turnsOf({ rights }: Standing, from: Date, to: Date): Date[] {
  const turns = [from, rights.released_at, endOf(rights), ...rights.usage.holds.map((hold) => hold.until)]
  for (let year = nextYearOf(rights, from), count = 0; year < to && count < YEARS_MAX; count += 1) {
    turns.push(year)
    year = nextYearOf(rights, year)
  }
  return turns
    .filter((turn) => turn !== null && turn >= from && turn < to)
    .map((turn) => turn as Date)
    .sort((one, other) => one.getTime() - other.getTime())
}
