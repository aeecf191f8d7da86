import { COUNTRY_CODES, countryCode } from '#identity/addresses/countries.facts.ts'
import { countryUnknown } from '#identity/addresses/errors.ts'
import { languageUnknown } from '#identity/languages/errors.ts'
import { languageCode } from '#identity/languages/languages.facts.ts'
import { mergeLocales } from '#identity/languages/rules.ts'
import { entryRepeated, fieldNotAllowed, fieldOutOfRange, fieldRequired, timeInvalid } from '#platform/errors/faults.ts'
import { type Fault, FieldReport } from '#platform/errors/problem.ts'
import { reportUnstorable } from '#platform/wire/storable.ts'
import { parseTime } from '#platform/wire/times.ts'
import { keysOf } from '#platform/wire/typed-entries.ts'
import { physicalContradictsType, regionUnknown } from './errors.ts'
import { VALID } from './rules.ts'
import {
  COUNT_MAX,
  DVD_REGIONS,
  LICENSE_COUNTS,
  LICENSE_PERIODS,
  LICENSE_VALUES,
  type LicenseInput,
  PERIOD_MAX,
  VIDEO_NORMS,
  WEIGHT_MAX,
} from './schema.ts'
import type { LicenseLocale, LicenseState } from './state.ts'

export type Change = { now: Date; takeId: () => number }

const UNLIMITED = -1
/** Physical and software, physical and content. */
const PHYSICAL_TYPES = [2, 3]

/** At most as many ids as an input can need for parts that are new. */
export function partIdsFor(input: LicenseInput): number {
  const { locales = [], restriction_country = [], restriction_dvd_region = [] } = input
  return locales.length + restriction_country.length + restriction_dvd_region.length + 1
}

export type Identity = { companyId: number; id: number; userId: number }

/** Creates a license from an input. By default it allows unlimited playing and downloading, and nothing else. */
export function newLicense({ companyId, id, userId }: Identity, input: LicenseInput, change: Change): LicenseState {
  const blank: LicenseState = {
    company_id: companyId,
    id,
    created_by_user_id: userId,
    name: '',
    created_at: change.now,
    updated_at: change.now,
    type: 0,
    valid: VALID,
    drm: 1,
    allow_play: 1,
    burn_play: 0,
    total_downloads: UNLIMITED,
    annual_downloads: UNLIMITED,
    total_export: 0,
    annual_export: 0,
    total_concurrent_devices: UNLIMITED,
    annual_concurrent_devices: UNLIMITED,
    copp_aps: 0,
    copp_cgms: 0,
    copp_hdcp: 0,
    copy_prot_level_analog: 0,
    copy_prot_level_digital: 0,
    play_prot_level_analog: 0,
    play_prot_level_digital: 0,
    delete_on_clock_rollback: 0,
    disable_on_clock_rollback: 0,
    expiration_date: null,
    expire_after_acquisition: 0,
    expire_after_acquisition_mode: 0,
    expire_after_first_use: 0,
    expire_after_first_use_mode: 0,
    export_epub: 0,
    export_mp3: 0,
    export_pdf_print: null,
    physical: 0,
    physical_weight: 0,
    physical_weight_type: 0,
    tax_handling: 0,
    stamp: 1,
    locales: [],
    restriction_country: [],
    restriction_dvd_region: [],
    restriction_video_norm: null,
  }
  return changeLicense(blank, { name: '', ...input }, change)
}

/** The license after an update. Absent fields stay, locales are merged, restrictions are replaced. */
export function changeLicense(before: LicenseState, input: LicenseInput, { now, takeId }: Change): LicenseState {
  const report = new FieldReport()
  reportUnstorable(input, report)
  if (input.name?.trim() === '') report.add('name', fieldRequired())
  checkNumbers(input, report)
  const after: LicenseState = {
    ...before,
    ...changedNumbers(before, input),
    name: input.name ?? before.name,
    expiration_date: readEnd(before.expiration_date, input.expiration_date, report),
    locales: input.locales === undefined ? before.locales : changeLocales(before.locales, input, takeId, report),
    ...changedRestrictions(before, input, takeId, report),
    updated_at: now,
  }
  // The type determines `physical`, even if `physical` is not sent.
  const physical = PHYSICAL_TYPES.includes(after.type) ? 1 : 0
  if (input.physical !== undefined && input.physical !== physical)
    report.add('physical', physicalContradictsType({ physical, type: after.type }))
  report.throwIfAny()
  return { ...after, physical }
}

/** Every code has to be a known one, and every number has to be within its bounds. */
function checkNumbers(input: LicenseInput, report: FieldReport): void {
  for (const name of keysOf(LICENSE_VALUES)) {
    const values: readonly number[] = LICENSE_VALUES[name]
    const sent = input[name]
    if (sent === undefined || (name === 'export_pdf_print' && sent === null)) continue
    if (sent === null || !values.includes(sent)) report.add(name, fieldNotAllowed(values))
  }
  for (const name of LICENSE_COUNTS) checkWhole(input[name], name, UNLIMITED, COUNT_MAX, report)
  for (const name of LICENSE_PERIODS) checkWhole(input[name], name, 0, PERIOD_MAX, report)
  const { physical_weight: weight } = input
  if (weight !== undefined && !(weight >= 0 && weight <= WEIGHT_MAX))
    report.add('physical_weight', fieldOutOfRange(`must be from 0 to ${WEIGHT_MAX}`))
}

function checkWhole(sent: number | undefined, name: string, min: number, max: number, report: FieldReport): void {
  if (sent !== undefined && !(Number.isSafeInteger(sent) && sent >= min && sent <= max))
    report.add(name, fieldOutOfRange(`must be a whole number from ${min} to ${max}`))
}

const NUMBERS = [...keysOf(LICENSE_VALUES), ...LICENSE_COUNTS, ...LICENSE_PERIODS, 'physical_weight'] as const

function changedNumbers(before: LicenseState, input: LicenseInput): Pick<LicenseState, (typeof NUMBERS)[number]> {
  const entries = NUMBERS.map((name) => [name, input[name] === undefined ? before[name] : input[name]])
  return Object.fromEntries(entries)
}

function readEnd(before: Date | null, sent: string | null | undefined, report: FieldReport): Date | null {
  if (sent === undefined) return before
  const time = sent === null ? null : parseTime(sent)
  if (time === undefined) report.add('expiration_date', timeInvalid('is not a time'))
  return time ?? null
}

function changeLocales(
  kept: LicenseLocale[],
  { locales: sent = [] }: LicenseInput,
  takeId: () => number,
  report: FieldReport,
): LicenseLocale[] {
  const changes = sent.map(({ language_id, ...change }, index) => {
    const language = language_id === undefined ? undefined : languageCode(language_id)
    if (language_id !== undefined && language === undefined)
      report.add(`locales[${index}].language_id`, languageUnknown())
    // An unknown language has been reported already, and must not be reported as missing too.
    return { ...change, language: language ?? (language_id === undefined ? undefined : `#${language_id}`) }
  })
  return mergeLocales<LicenseLocale, (typeof changes)[number]>(
    kept,
    changes,
    (old, change, identity) => ({
      ...identity,
      name: change.name ?? old?.name ?? '',
      description: change.description ?? old?.description ?? '',
    }),
    { takeId, report, languageField: 'language_id' },
  )
}

/** Existing entries keep their ids. They are matched by value, because nothing else identifies them. */
function changedRestrictions(
  before: LicenseState,
  input: LicenseInput,
  takeId: () => number,
  report: FieldReport,
): Pick<LicenseState, 'restriction_country' | 'restriction_dvd_region' | 'restriction_video_norm'> {
  const { restriction_country: countries, restriction_dvd_region: regions, restriction_video_norm: video } = input
  const codes = countries?.map(({ country_id }) => countryCode(country_id) ?? country_id)
  const kept = <Entry extends { id: number }>(list: Entry[], same: (entry: Entry) => boolean): number =>
    list.find(same)?.id ?? takeId()
  checkEach(
    codes,
    (code) => COUNTRY_CODES.has(code),
    'restriction_country',
    'country_id',
    countryUnknown('is not a country'),
    report,
  )
  const numbers = regions?.map(({ dvd_region }) => dvd_region)
  checkEach(
    numbers,
    (region) => isOne(DVD_REGIONS, region),
    'restriction_dvd_region',
    'dvd_region',
    regionUnknown(),
    report,
  )
  if (video && !isOne(VIDEO_NORMS, video.norm)) report.add('restriction_video_norm.norm', fieldNotAllowed(VIDEO_NORMS))
  return {
    restriction_country:
      codes?.map((country_code) => ({
        id: kept(before.restriction_country, (entry) => entry.country_code === country_code),
        country_code,
      })) ?? before.restriction_country,
    restriction_dvd_region:
      numbers?.map((dvd_region) => ({
        id: kept(before.restriction_dvd_region, (entry) => entry.dvd_region === dvd_region),
        dvd_region,
      })) ?? before.restriction_dvd_region,
    restriction_video_norm:
      video === undefined
        ? before.restriction_video_norm
        : video && { id: before.restriction_video_norm?.id ?? takeId(), norm: video.norm },
  }
}

function isOne(values: readonly number[], value: number): boolean {
  return values.includes(value)
}

function checkEach<Value>(
  values: Value[] | undefined,
  isKnown: (value: Value) => boolean,
  list: string,
  field: string,
  unknown: Fault,
  report: FieldReport,
): void {
  for (const [index, value] of (values ?? []).entries()) {
    if (!isKnown(value)) report.add(`${list}[${index}].${field}`, unknown)
    if (values?.indexOf(value) !== index) report.add(`${list}[${index}].${field}`, entryRepeated())
  }
}
