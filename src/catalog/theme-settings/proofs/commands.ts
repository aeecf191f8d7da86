import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { refreshThemeSettings } from '../commands.ts'
import { lockThemeSettings } from '../queries.ts'
import { readClaimants } from './queries.ts'
import { type Claims, nextCheckSeconds, settle } from './rules.ts'

/** A look takes seconds; a worker that dies leaves its hosts to the next one after this. */
const LEASE_SECONDS = 60

/** Takes hosts that are due for a look, so that no other worker looks at the same time. */
export async function claimDueHosts(tx: Tx, limit: number, now: Date): Promise<string[]> {
  const { rows } = await sql<Columns<'theme_setting_hosts', 'host'>>`with due as materialized (
      select company_id, theme_setting_id, kind from theme_setting_hosts
      where check_at <= ${now} order by check_at limit ${limit} for update skip locked
    ) update theme_setting_hosts as host set check_at = ${later(now, LEASE_SECONDS)} from due
    where host.company_id = due.company_id and host.theme_setting_id = due.theme_setting_id and host.kind = due.kind
    returning host.host`.execute(tx)
  return [...new Set(rows.map(({ host }) => host))]
}

const later = (now: Date, seconds: number) => new Date(now.getTime() + seconds * 1000)

/**
 * Writes what a look found: which shop has the domain from now on, and when to look again. Shops are locked before
 * their hosts, as a change of a shop does.
 */
export async function settleDomain(tx: Tx, host: string, claims: Claims, now: Date): Promise<void> {
  for (const { company_id, theme_setting_id } of await readClaimants(tx, host))
    await lockThemeSettings(tx, company_id, [theme_setting_id])
  const before = await readClaimants(tx, host)
  const after = settle(before, claims, now)
  // A host is given up before another shop gets it, because one shop at most may have it.
  for (const each of [...after].sort((one, other) => Number(one.proved_at !== null) - Number(other.proved_at !== null)))
    await tx
      .updateTable('theme_setting_hosts')
      .set({
        proved_at: each.proved_at,
        missing_since: each.missing_since,
        checks: each.checks,
        check_at: later(now, nextCheckSeconds(each.proved_at !== null, each.checks)),
      })
      .where('company_id', '=', each.company_id)
      .where('theme_setting_id', '=', each.theme_setting_id)
      .where('kind', '=', each.kind)
      .execute()
  for (const [index, { company_id, theme_setting_id, proved_at }] of after.entries())
    if ((proved_at === null) !== (before[index]?.proved_at === null))
      await refreshThemeSettings(tx, company_id, [theme_setting_id])
}

/** The domain name system did not answer: that proves nothing and ends nothing. */
export async function postponeCheck(tx: Tx, host: string, now: Date): Promise<void> {
  await tx
    .updateTable('theme_setting_hosts')
    .set({ check_at: later(now, nextCheckSeconds(false, 11)) })
    .where('host', '=', host)
    .where('check_at', 'is not', null)
    .execute()
}
