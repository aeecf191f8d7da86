import { type Period, unitOf } from './periods.rules.ts'
import { deviceLimitOf, mayBurn, mayDownload, mayExport, UNLIMITED } from './rules.ts'
import type { Rights } from './state.ts'

/** A statement about the terms, before it is put into words. */
export type Clause =
  | { kind: 'no end' }
  | { kind: 'while a member' }
  | { kind: 'ends on'; date: Date }
  | { kind: 'ends after acquisition'; period: Period }
  | { kind: 'ends after first use'; period: Period }
  | { kind: 'no playing' }
  | { kind: 'no downloads' }
  | { kind: 'downloads'; count: number }
  | { kind: 'downloads a year'; count: number }
  | { kind: 'devices at once'; count: number }
  | { kind: 'devices a year'; count: number }
  | { kind: 'exports'; count: number | null }
  | { kind: 'exports a year'; count: number }
  | { kind: 'burns'; count: number | null }
  | { kind: 'prints'; pages: number | null }
  | { kind: 'no protection' }

/** Without a membership they are the terms of something that is bought. */
export type Described = Pick<Rights, 'terms' | 'product_type' | 'users'> & Partial<Pick<Rights, 'membership'>>

/**
 * The terms as clauses: when it ends, what is allowed, and how often. Limits that do not exist are not mentioned, and
 * neither are limits that another one makes pointless.
 */
export function clausesOf(rights: Described): Clause[] {
  return [...ends(rights), ...playing(rights), ...downloads(rights), ...copies(rights)]
}

function ends({ terms, membership = null }: Described): Clause[] {
  const clauses: Clause[] = []
  if (terms.expire_after_first_use > 0)
    clauses.push({
      kind: 'ends after first use',
      period: { count: terms.expire_after_first_use, unit: unitOf(terms.expire_after_first_use_mode) },
    })
  if (terms.expire_after_acquisition > 0)
    clauses.push({
      kind: 'ends after acquisition',
      period: { count: terms.expire_after_acquisition, unit: unitOf(terms.expire_after_acquisition_mode) },
    })
  if (terms.expiration_date !== null) clauses.push({ kind: 'ends on', date: terms.expiration_date })
  if (clauses.length > 0) return clauses
  return [{ kind: membership === null ? 'no end' : 'while a member' }]
}

function playing({ terms, users }: Described): Clause[] {
  if (terms.drm === 0) return [{ kind: 'no protection' }]
  // On no device at all it cannot be played.
  if (deviceLimitOf({ terms, users }) === 0) return [{ kind: 'no playing' }]
  const clauses: Clause[] = terms.allow_play === 1 ? [] : [{ kind: 'no playing' }]
  const { total_concurrent_devices: total, annual_concurrent_devices: annual } = terms
  if (total !== UNLIMITED) clauses.push({ kind: 'devices at once', count: total * users })
  if (annual !== UNLIMITED) clauses.push({ kind: 'devices a year', count: annual * users })
  return clauses
}

/** A limit for each year matters if it is reached before the limit for all time. */
function isAnnual(annual: number, total: number): boolean {
  return annual !== UNLIMITED && (total === UNLIMITED || annual < total)
}

function downloads({ terms }: Described): Clause[] {
  const { total_downloads: total, annual_downloads: annual } = terms
  if (!mayDownload(terms)) return [{ kind: 'no downloads' }]
  const clauses: Clause[] = []
  if (total !== UNLIMITED) clauses.push({ kind: 'downloads', count: total })
  if (isAnnual(annual, total)) clauses.push({ kind: 'downloads a year', count: annual })
  return clauses
}

/** Exports, burns and prints are allowed by few licenses, so only those that allow them mention them. */
function copies({ terms, product_type }: Described): Clause[] {
  if (terms.drm === 0) return []
  const { total_export: total, annual_export: annual, burn_play, export_pdf_print } = terms
  const clauses: Clause[] = []
  if (mayExport(terms, product_type)) {
    if (total !== UNLIMITED || annual === UNLIMITED)
      clauses.push({ kind: 'exports', count: total === UNLIMITED ? null : total })
    if (isAnnual(annual, total)) clauses.push({ kind: 'exports a year', count: annual })
  }
  const count = burn_play === UNLIMITED ? null : burn_play
  if (export_pdf_print === 1 && count !== 0) clauses.push({ kind: 'prints', pages: count })
  if (mayBurn(terms)) clauses.push({ kind: 'burns', count })
  return clauses
}
