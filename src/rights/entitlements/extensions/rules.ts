import { FieldReport } from '#platform/errors/problem.ts'
import { readTime } from '#platform/wire/times.ts'
import { endNotLater, extensionEmpty, notLimited, reasonMissing } from '../errors.ts'
import { endOf } from '../rights/periods.rules.ts'
import { UNLIMITED } from '../rights/rules.ts'
import type { Terms } from '../rights/state.ts'
import { rightsOf } from '../rules.ts'
import type { EntitlementState } from '../state.ts'
import type { ExtensionInput } from './schema.ts'

const raised = (count: number, by: number) => (count === UNLIMITED ? UNLIMITED : count + by)

/** A new end replaces those that the license sets. The time from the first use stays for what nobody has used yet. */
function withEnd({ terms, first_used_at }: EntitlementState, end: Date): Terms {
  return {
    ...terms,
    expiration_date: end,
    expire_after_acquisition: 0,
    expire_after_first_use: first_used_at === null ? terms.expire_after_first_use : 0,
  }
}

function isLimited(terms: Terms, total: 'total_downloads' | 'total_concurrent_devices'): boolean {
  const annual = total === 'total_downloads' ? terms.annual_downloads : terms.annual_concurrent_devices
  const isCounted = total === 'total_downloads' || terms.drm === 1
  return isCounted && (terms[total] !== UNLIMITED || annual !== UNLIMITED)
}

/** The entitlement with more time, downloads or devices. Only its own copy of the license changes. */
export function extend(before: EntitlementState, input: ExtensionInput, now: Date): EntitlementState {
  const report = new FieldReport()
  const { downloads, devices } = input
  const end = readTime(input.ends_at)
  const current = endOf(rightsOf(before))
  if (end === undefined && downloads === undefined && devices === undefined) report.add('ends_at', extensionEmpty())
  if (input.reason.trim() === '') report.add('reason', reasonMissing())
  if (end !== undefined && current === null) report.add('ends_at', notLimited())
  else if (end !== undefined && (end <= now || (current !== null && end <= current)))
    report.add('ends_at', endNotLater())
  if (downloads !== undefined && !isLimited(before.terms, 'total_downloads')) report.add('downloads', notLimited())
  if (devices !== undefined && !isLimited(before.terms, 'total_concurrent_devices')) report.add('devices', notLimited())
  report.throwIfAny()
  const terms = end === undefined ? before.terms : withEnd(before, end)
  return {
    ...before,
    terms: {
      ...terms,
      total_downloads: raised(terms.total_downloads, downloads ?? 0),
      annual_downloads: raised(terms.annual_downloads, downloads ?? 0),
      total_concurrent_devices: raised(terms.total_concurrent_devices, devices ?? 0),
      annual_concurrent_devices: raised(terms.annual_concurrent_devices, devices ?? 0),
    },
    updated_at: now,
  }
}

/** What was given, in a few words for the audit log. */
export function inFewWords({ ends_at, downloads, devices, reason }: ExtensionInput): string {
  const given = [
    ...(ends_at === undefined ? [] : [`until ${ends_at}`]),
    ...(downloads === undefined ? [] : [`${downloads} more downloads`]),
    ...(devices === undefined ? [] : [`${devices} more devices`]),
  ]
  return `${given.join(', ')}: ${reason.trim()}`
}
