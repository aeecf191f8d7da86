import type { Command } from 'commander'
import { latestAuditEntries } from '#audit/queries.ts'
import { StartError } from '#boot/start-error.ts'
import { closeStore, openMigratedStore } from '#boot/store.ts'
import { findCompany } from '#companies/queries.ts'
import { wireTime } from '#platform/wire.ts'
import { command, plain, print, type Terminal, wholeNumber } from './program.ts'

const LIMIT = 50
const LIMIT_MAX = 1000

export function addAudit(program: Command, terminal: Terminal): void {
  command(program, 'audit', 'List what was done to the doors of companies, newest first.')
    .option('--company <id>', 'of this company only', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--limit <number>', 'list at most so many', wholeNumber(1, LIMIT_MAX), LIMIT)
    .action(async (options: { company?: number; limit: number; json?: boolean }) => {
      const store = await openMigratedStore(terminal.config())
      try {
        if (options.company !== undefined && (await findCompany(store.db, options.company)) === undefined)
          throw new StartError(`There is no company ${options.company}.`, 2)
        const entries = await latestAuditEntries(store.db, options.company, options.limit)
        const lines = entries.map(inOneLine)
        print(
          terminal,
          options.json,
          { audit_entries: entries },
          lines.length === 0 ? 'Nothing is on record.' : lines.join('\n'),
        )
      } finally {
        await closeStore(store)
      }
    })
}

function inOneLine(entry: Awaited<ReturnType<typeof latestAuditEntries>>[number]): string {
  const who = [
    entry.company_id === null ? [] : `company ${entry.company_id}`,
    entry.user_id === null ? [] : `user ${entry.user_id}`,
    entry.app_id === null ? [] : `app ${entry.app_id}`,
  ].flat()
  const parts = [wireTime(entry.created_at), entry.action, entry.subject, who.join(', '), `from ${entry.address}`]
  return plain(parts.filter((part) => part !== '').join('  '))
}
