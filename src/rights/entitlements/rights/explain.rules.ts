import { licenseEndOf, nextYearOf, yearOf } from './periods.rules.ts'
import { devicesAt, isClockSetBack, limitsDevices, type Refusal, RULES } from './rules.ts'
import type { Ask, Rights } from './state.ts'

/** One rule of the engine: what it looked at, and what it says on its own. */
export type ExplainedRule = { rule: string; input: Record<string, unknown>; refusal: Refusal | null }

/** What each rule looks at. */
const INPUTS: Record<string, (rights: Rights, ask: Ask, now: Date) => Record<string, unknown>> = {
  revoked: ({ revoked, terms }) => ({ revoked, valid: terms.valid }),
  confirmed: ({ on_hold }) => ({ order_confirmed: !on_hold }),
  membership: ({ membership }) => ({ ...membership }),
  released: ({ released_at }) => ({ starts_at: released_at }),
  expiry: (rights) => ({
    expiration_date: rights.terms.expiration_date,
    expire_after_acquisition: rights.terms.expire_after_acquisition,
    expire_after_acquisition_mode: rights.terms.expire_after_acquisition_mode,
    acquired_at: rights.acquired_at,
    expire_after_first_use: rights.terms.expire_after_first_use,
    expire_after_first_use_mode: rights.terms.expire_after_first_use_mode,
    first_used_at: rights.first_used_at,
    ends_at: licenseEndOf(rights),
  }),
  clock: (rights, ask, now) => ({
    drm: rights.terms.drm,
    delete_on_clock_rollback: rights.terms.delete_on_clock_rollback,
    disable_on_clock_rollback: rights.terms.disable_on_clock_rollback,
    suspended: rights.suspended,
    client_time: ask.client_time,
    last_client_time: ask.device?.last_client_time ?? null,
    set_back: isClockSetBack(ask, now),
  }),
  action: ({ terms, product_type }, { action, pages }) => ({
    action,
    drm: terms.drm,
    product_type,
    ...(action === 'play' && { allow_play: terms.allow_play }),
    ...(action === 'download' && { total_downloads: terms.total_downloads, annual_downloads: terms.annual_downloads }),
    ...(action === 'export' && {
      total_export: terms.total_export,
      annual_export: terms.annual_export,
      export_epub: terms.export_epub,
      export_mp3: terms.export_mp3,
    }),
    ...(action === 'burn' && { burn_play: terms.burn_play, export_pdf_print: terms.export_pdf_print }),
    ...(action === 'print' && { burn_play: terms.burn_play, export_pdf_print: terms.export_pdf_print, pages }),
  }),
  device: (rights, { device }, now) => ({
    device: device?.id ?? null,
    counted: limitsDevices(rights),
    total_concurrent_devices: rights.terms.total_concurrent_devices,
    annual_concurrent_devices: rights.terms.annual_concurrent_devices,
    users: rights.users,
    holding: devicesAt(rights.usage, now),
    this_year: rights.usage.year === yearOf(rights, now) ? rights.usage.year_devices : [],
  }),
  count: (rights, { action }, now) => {
    const { terms, usage } = rights
    const isThisYear = usage.year === yearOf(rights, now)
    const next_year_at = nextYearOf(rights, now)
    if (action === 'download')
      return {
        total_downloads: terms.total_downloads,
        downloads: usage.downloads,
        annual_downloads: terms.annual_downloads,
        downloads_this_year: isThisYear ? usage.year_downloads : 0,
        next_year_at,
      }
    if (action === 'export')
      return {
        total_export: terms.total_export,
        exports: usage.exports,
        annual_export: terms.annual_export,
        exports_this_year: isThisYear ? usage.year_exports : 0,
        next_year_at,
      }
    return action === 'burn' ? { burn_play: terms.burn_play, burns: usage.burns } : {}
  },
}

/** Every rule with its input and its verdict, in the order in which they are checked. What a customer owns has no membership. */
export function explain(rights: Rights, ask: Ask, now: Date): ExplainedRule[] {
  return RULES.filter(({ name }) => name !== 'membership' || rights.membership !== null).map(({ name, check }) => ({
    rule: name,
    input: INPUTS[name]?.(rights, ask, now) ?? {},
    refusal: check(rights, ask, now) ?? null,
  }))
}
