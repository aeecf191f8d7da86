import type { Schemas } from '@licet/client'
import { wireOf } from './draft.ts'
import type { LicenseInput, TrialInput } from './queries.ts'

export type Action = Schemas['Use']['action']
export const ACTIONS: readonly Action[] = ['play', 'download', 'export', 'burn', 'print']
/** What can be used up. */
export const COUNTED: ReadonlySet<Action> = new Set(['download', 'export', 'burn'])

/** What somebody wants to know of a license. Times are those of the reader, as fields have them. */
export type Situation = {
  bought: string
  /** Empty: it was not used before. */
  first: string
  at: string
  action: Action
  /** So many other devices play it at the moment. */
  others: number
  isNewDevice: boolean
  /** How often it was downloaded, exported or burnt before. */
  before: number
  pages: string
  /** Empty: a country where it is sold. */
  country: string
  isClockBack: boolean
}

const OWN_DEVICE = 'device 1'
const NEW_DEVICE = 'new device'
const DAY_MS = 86_400_000
export const BEFORE_MAX = 40
export const OTHERS_MAX = 20

/** The beginning of the hour, as a field for a day and a time has it. */
export function localHour(time: Date): string {
  const local = new Date(time.getTime() - time.getTimezoneOffset() * 60_000)
  return `${local.toISOString().slice(0, 13)}:00`
}

export function firstSituation(now: Date): Situation {
  return {
    bought: localHour(now),
    first: '',
    at: localHour(new Date(now.getTime() + DAY_MS)),
    action: 'play',
    others: 0,
    isNewDevice: false,
    before: 0,
    pages: '1',
    country: '',
    isClockBack: false,
  }
}

/** The question to the engine; undefined while a time is missing. */
export function questionOf(
  license: LicenseInput | undefined,
  situation: Situation,
  productType: number,
): TrialInput | undefined {
  const { bought, first, at, action, before, country } = situation
  if (license === undefined || bought === '' || at === '') return undefined
  const used = first === '' ? bought : first
  const use = (each: Action) => ({ at: wireOf(used), action: each, device: OWN_DEVICE })
  const counted = COUNTED.has(action) ? Array.from({ length: before }, () => use(action)) : []
  return {
    license,
    language: document.documentElement.lang,
    product_type: productType,
    bought_at: wireOf(bought),
    uses: [...(first === '' ? [] : [use('play')]), ...counted],
    other_devices: situation.others,
    asked: {
      at: wireOf(at),
      action,
      device: situation.isNewDevice ? NEW_DEVICE : OWN_DEVICE,
      ...(action === 'print' ? { pages: Math.max(1, Number(situation.pages)) } : {}),
      ...(situation.isClockBack ? { client_time: wireOf(localHour(new Date(new Date(at).getTime() - DAY_MS))) } : {}),
    },
    ...(country === '' ? {} : { country }),
  }
}
