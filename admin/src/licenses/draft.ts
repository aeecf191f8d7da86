import { timeOf } from '../words/format.ts'
import type { License, LicenseInput } from './queries.ts'

/** How often: as often as somebody likes, never, or a number as it was typed. */
export type Times = { kind: 'any' | 'none' | 'some'; typed: string }
export type Period = { typed: string; unit: Unit }
/** How a license counts time. */
export const UNITS = ['hours', 'days', 'months'] as const
export type Unit = (typeof UNITS)[number]

const UNIT_CODES = { hours: 0, days: 1, months: 2 } as const

export const ENDS = ['never', 'first_use', 'purchase'] as const
export const TYPES = ['content', 'software', 'goods_and_software', 'goods_and_content'] as const
const TYPE_CODES = { content: 0, software: 1, goods_and_software: 2, goods_and_content: 3 } as const
export const CLOCKS = ['ignore', 'pause', 'end'] as const

/** The protection that players ask their outputs for. */
export const SWITCHES = ['copp_hdcp', 'copp_cgms', 'copp_aps'] as const
export const LEVELS = {
  play_prot_level_digital: [0, 100, 150, 200],
  play_prot_level_analog: [0, 100, 200, 300, 400, 500],
  copy_prot_level_digital: [0, 100, 110, 200, 300],
  copy_prot_level_analog: [0, 100, 200, 300, 400, 500],
} as const
type Level = keyof typeof LEVELS
export const LEVEL_NAMES = Object.keys(LEVELS) as Level[]

/** The regions of discs. */
export const REGIONS = [1, 2, 3, 4, 5, 6] as const
export type Region = (typeof REGIONS)[number]

export type LicenseText = { id?: number; language_id: number; name: string; description: string }

/** A license as its editor has it: choices in plain words, numbers as they were typed. */
export type Draft = {
  name: string
  type: (typeof TYPES)[number]
  ends: (typeof ENDS)[number]
  /** From first use, or from the purchase. */
  period: Period
  /** It has to be started within this time of the purchase. */
  hasStartBy: boolean
  startBy: Period
  hasLastDay: boolean
  /** As the field for a day and a time has it, in the time zone of the reader. */
  lastDay: string
  isProtected: boolean
  mayPlay: boolean
  devices: Times
  devicesAYear: Times
  downloads: Times
  downloadsAYear: Times
  exports: Times
  exportsAYear: Times
  mayExportBooks: boolean
  mayExportMusic: boolean
  burns: Times
  mayPrint: boolean
  /** Pages at once. */
  pages: Times
  clock: (typeof CLOCKS)[number]
  countries: string[]
  regions: Region[]
  norm: 0 | 1 | null
  stamp: boolean
  weight: string
  isInPounds: boolean
  isNet: boolean
  outputs: Record<(typeof SWITCHES)[number], boolean>
  levels: Pick<License, Level>
  texts: LicenseText[]
}

const UNLIMITED = -1

const timesOf = (count: number): Times => ({
  kind: count === UNLIMITED ? 'any' : count === 0 ? 'none' : 'some',
  typed: count > 0 ? String(count) : '1',
})

/** Nothing typed is sent as a number that the service refuses, so that it says so at the field. */
const countOf = ({ kind, typed }: Times) =>
  kind === 'any' ? UNLIMITED : kind === 'none' ? 0 : typed === '' ? Number.NaN : Number(typed)

const periodOf = (count: number, mode: number, otherwise: Period): Period =>
  count === 0 ? otherwise : { typed: String(count), unit: UNITS[mode] ?? 'hours' }

/** A time of the service as a field for a day and a time has it. */
export function localTime(wire: string | null): string {
  if (wire === null) return ''
  const time = timeOf(wire)
  return new Date(time.getTime() - time.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

/** The same as the service takes it. */
export const wireOf = (local: string) => new Date(local).toISOString().slice(0, 19)

export function draftOf(license: License): Draft {
  const afterUse = license.expire_after_first_use
  const afterPurchase = license.expire_after_acquisition
  const ends = afterUse > 0 ? 'first_use' : afterPurchase > 0 ? 'purchase' : 'never'
  const purchase = periodOf(afterPurchase, license.expire_after_acquisition_mode, { typed: '30', unit: 'days' })
  const print = license.export_pdf_print === 1
  return {
    name: license.name,
    type: TYPES[license.type] ?? 'content',
    ends,
    period:
      ends === 'purchase'
        ? purchase
        : periodOf(afterUse, license.expire_after_first_use_mode, { typed: '48', unit: 'hours' }),
    hasStartBy: ends === 'first_use' && afterPurchase > 0,
    startBy: purchase,
    hasLastDay: license.expiration_date !== null,
    lastDay: localTime(license.expiration_date),
    isProtected: license.drm === 1,
    mayPlay: license.allow_play === 1,
    devices: timesOf(license.total_concurrent_devices),
    devicesAYear: timesOf(license.annual_concurrent_devices),
    downloads: timesOf(license.total_downloads),
    downloadsAYear: timesOf(license.annual_downloads),
    exports: timesOf(license.total_export),
    exportsAYear: timesOf(license.annual_export),
    mayExportBooks: license.export_epub === 1,
    mayExportMusic: license.export_mp3 === 1,
    burns: print ? timesOf(0) : timesOf(license.burn_play),
    mayPrint: print,
    pages: print ? timesOf(license.burn_play) : timesOf(UNLIMITED),
    clock:
      license.delete_on_clock_rollback === 1 ? 'end' : license.disable_on_clock_rollback === 1 ? 'pause' : 'ignore',
    countries: license.restriction_country.map(({ country_id }) => country_id),
    regions: license.restriction_dvd_region.map(({ dvd_region }) => dvd_region),
    norm: license.restriction_video_norm?.norm ?? null,
    stamp: license.stamp === 1,
    weight: String(license.physical_weight),
    isInPounds: license.physical_weight_type === 1,
    isNet: license.tax_handling === 1,
    outputs: {
      copp_hdcp: license.copp_hdcp === 1,
      copp_cgms: license.copp_cgms === 1,
      copp_aps: license.copp_aps === 1,
    },
    levels: {
      play_prot_level_digital: license.play_prot_level_digital,
      play_prot_level_analog: license.play_prot_level_analog,
      copy_prot_level_digital: license.copy_prot_level_digital,
      copy_prot_level_analog: license.copy_prot_level_analog,
    },
    texts: license.locales.map(({ id, language_id, name, description }) => ({ id, language_id, name, description })),
  }
}

/** Are goods part of it? They have a weight and countries where their discs can be played. */
export const hasGoods = ({ type }: Pick<Draft, 'type'>) => type === 'goods_and_content' || type === 'goods_and_software'

const flag = (isOn: boolean) => (isOn ? 1 : 0)

/** The license that a draft makes, as the API takes it. */
export function inputOf(draft: Draft) {
  const { ends, period, startBy, outputs, levels } = draft
  const purchase = ends === 'purchase' ? period : ends === 'first_use' && draft.hasStartBy ? startBy : undefined
  const use = ends === 'first_use' ? period : undefined
  const countOfPeriod = (each: Period | undefined) => (each === undefined ? 0 : Number(each.typed) || Number.NaN)
  const mode = (each: Period | undefined) => (each === undefined ? 0 : UNIT_CODES[each.unit])
  return {
    name: draft.name,
    type: TYPE_CODES[draft.type],
    drm: flag(draft.isProtected),
    allow_play: flag(draft.mayPlay),
    total_concurrent_devices: countOf(draft.devices),
    annual_concurrent_devices: countOf(draft.devicesAYear),
    total_downloads: countOf(draft.downloads),
    annual_downloads: countOf(draft.downloadsAYear),
    total_export: countOf(draft.exports),
    annual_export: countOf(draft.exportsAYear),
    export_epub: flag(draft.mayExportBooks),
    export_mp3: flag(draft.mayExportMusic),
    // One number says how often it is burnt, or how many pages are printed at once.
    burn_play: countOf(draft.mayPrint ? draft.pages : draft.burns),
    export_pdf_print: flag(draft.mayPrint),
    expire_after_first_use: countOfPeriod(use),
    expire_after_first_use_mode: mode(use),
    expire_after_acquisition: countOfPeriod(purchase),
    expire_after_acquisition_mode: mode(purchase),
    expiration_date: draft.hasLastDay && draft.lastDay !== '' ? wireOf(draft.lastDay) : null,
    delete_on_clock_rollback: flag(draft.clock === 'end'),
    disable_on_clock_rollback: flag(draft.clock === 'pause'),
    restriction_country: draft.countries.map((country_id) => ({ country_id })),
    restriction_dvd_region: draft.regions.map((dvd_region) => ({ dvd_region })),
    restriction_video_norm: draft.norm === null ? null : { norm: draft.norm },
    stamp: flag(draft.stamp),
    physical_weight: Number(draft.weight.replace(',', '.')),
    physical_weight_type: flag(draft.isInPounds),
    tax_handling: flag(draft.isNet),
    copp_hdcp: flag(outputs.copp_hdcp),
    copp_cgms: flag(outputs.copp_cgms),
    copp_aps: flag(outputs.copp_aps),
    ...levels,
    locales: draft.texts,
  } satisfies LicenseInput
}

/** What differs between two drafts, as the API takes it. */
export function changesIn(before: Draft, after: Draft): LicenseInput {
  const [old, changed] = [inputOf(before), inputOf(after)]
  const keys = Object.keys(changed) as (keyof typeof changed)[]
  return Object.fromEntries(
    keys.filter((key) => JSON.stringify(old[key]) !== JSON.stringify(changed[key])).map((key) => [key, changed[key]]),
  )
}

/** The license as the engine takes it; undefined while a number is missing. */
export function triedOf(draft: Draft): LicenseInput | undefined {
  const { locales: _locales, name: _name, ...terms } = inputOf(draft)
  return Object.values(terms).some((value) => typeof value === 'number' && Number.isNaN(value)) ? undefined : terms
}
