import type { Command } from 'commander'
import { listDomains } from '#catalog/theme-settings/proofs/queries.ts'
import { withDatabase } from '#program/boot/store.ts'
import { companyId } from '../administration.ts'
import { command, print, type Terminal } from '../program.ts'
import { table } from '../terminal/table.ts'

export function addDomains(program: Command, terminal: Terminal): void {
  command(program, 'domains', 'List the domains of shops, and the DNS record that proves each.')
    .option('--company <id>', 'only those of this company', companyId)
    .action(async (options: { company?: number; json?: boolean }) => {
      const domains = (await withDatabase(terminal.config(), (db) => listDomains(db, options.company))).map(
        ({ host, company_id, theme_setting_id, proved_at, missing_since, check_at, record }) => ({
          domain: host,
          company_id,
          theme_setting_id,
          status: proved_at === null ? 'waiting' : missing_since === null ? 'proved' : 'missing',
          next_check_at: check_at?.toISOString() ?? null,
          record,
        }),
      )
      const text = table(domains, 'No shop has a domain of its own.', {
        Domain: ({ domain }) => domain,
        Company: ({ company_id }) => company_id,
        Status: ({ status }) => status,
        'DNS record': ({ record }) => `${record.name} ${record.type} "${record.value}"`,
      })
      print(terminal, options.json, { domains }, text)
    })
}
