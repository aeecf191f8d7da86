import type { Command } from 'commander'
import { latestAuditEntries } from '#history/audit/queries.ts'
import { findCompany } from '#identity/companies/queries.ts'
import { StartError } from '#program/boot/start-error.ts'
import { closeStore, openMigratedStore } from '#program/boot/store.ts'
import { command, localTime, print, type Terminal, wholeNumber } from './program.ts'
import { table } from './terminal/table.ts'

const LIMIT = 50
const LIMIT_MAX = 1000

export function addAudit(program: Command, terminal: Terminal): void {
  command(program, 'audit', 'List sign-ins and changes to users, apps, grants and tokens, newest first.')
    .option('--company <id>', 'of this company only', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .option('--limit <number>', 'list at most so many', wholeNumber(1, LIMIT_MAX), LIMIT)
    .action(async (options: { company?: number; limit: number; json?: boolean }) => {
      const store = await openMigratedStore(terminal.config())
      try {
        if (options.company !== undefined && (await findCompany(store.db, options.company)) === undefined)
          throw new StartError(`There is no company ${options.company}.`, 2)
        const entries = await latestAuditEntries(store.db, options.company, options.limit)
        print(terminal, options.json, { audit_entries: entries }, inTable(entries))
      } finally {
        await closeStore(store)
      }
    })
}

function inTable(entries: Awaited<ReturnType<typeof latestAuditEntries>>): string {
  return table(entries, 'Nothing is on record.', {
    Time: ({ created_at }) => localTime(created_at),
    Action: ({ action }) => action,
    Subject: ({ subject }) => subject,
    Company: ({ company_id }) => company_id ?? '',
    User: ({ user_id }) => user_id ?? '',
    App: ({ app_id }) => app_id ?? '',
    From: ({ address }) => address,
  })
}
