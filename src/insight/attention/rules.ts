import type { ScheduledBackup } from '#insight/backup-runs/state.ts'
import { ATTENTION_KINDS } from './schema.ts'
import type { Found, Rights } from './state.ts'

/** With less space than this, uploads and backups soon fail. */
export const DISK_FREE_MIN_BYTES = 1_073_741_824

/** Whoever renews certificates does so earlier than this. */
export const CERTIFICATE_DAYS_MIN = 14

/** Does a certificate end so soon that it should have been renewed? */
export function isEndingSoon(until: Date, now: Date): boolean {
  return until.getTime() - now.getTime() < CERTIFICATE_DAYS_MIN * 86_400_000
}

const DAY_MS = 86_400_000
/** A week without a backup is more than anybody would like to lose. */
const BACKUP_DAYS_MAX = 7

export function daysSince(time: Date, now: Date): number {
  return Math.floor((now.getTime() - time.getTime()) / DAY_MS)
}

export function isBackupOld(latest: Date, now: Date): boolean {
  return daysSince(latest, now) > BACKUP_DAYS_MAX
}

/** One that failed is tried again every hour, so an older failure is of a schedule that there is not any more. */
const FAILURE_DAYS_MAX = 1

export function isFailing(last: Pick<ScheduledBackup, 'state' | 'due_at'> | undefined, now: Date): boolean {
  return last?.state === 'failed' && daysSince(last.due_at, now) <= FAILURE_DAYS_MAX
}

type Holder = {
  permissions: ReadonlySet<string>
  /** Undefined for a signed-in user, who needs no scope. */
  scopes: ReadonlySet<string> | undefined
}

/** The same rights as the lists ask for in which these things are. */
export function rightsOf({ permissions, scopes }: Holder): Rights {
  const has = (scope: string) => scopes?.has(scope) ?? true
  return {
    orders: has('orders'),
    payments: has('orders') && permissions.has('accounting'),
    products: has('products'),
    files: has('files'),
    webhooks: has('webhooks'),
    service: permissions.has('create_users'),
  }
}

/** What is there at all, most urgent first. */
export function mostUrgent(found: readonly Found[]): Found[] {
  const place = ({ kind }: Found) => ATTENTION_KINDS.indexOf(kind)
  return found.filter(({ count }) => count > 0).sort((one, other) => place(one) - place(other))
}
