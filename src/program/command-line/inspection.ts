import type { Command } from 'commander'
import { listFailedPictures } from '#catalog/pictures/queries.ts'
import { closeStore, openMigratedStore } from '#program/boot/store.ts'
import type { Finding } from './doctor/finding.ts'
import { command, print, type Terminal, wholeNumber } from './program.ts'
import { withProgress } from './terminal/progress.ts'
import { table } from './terminal/table.ts'

export function addInspection(program: Command, terminal: Terminal): void {
  command(program, 'openapi', 'Print the OpenAPI document.').action(async () => {
    const { openApiDocument } = await import('./openapi.ts')
    terminal.out(JSON.stringify(await openApiDocument(), null, 2))
  })

  command(program, 'doctor', 'Check the installation and say what is wrong.').action(
    async (options: { json?: boolean }) => {
      const { runChecks } = await import('./doctor.ts')
      const findings = await runChecks(terminal.config())
      const healthy = findings.every(({ ok }) => ok)
      print(terminal, options.json, { healthy, findings }, findings.map(inWords).join('\n'))
      if (!healthy) terminal.exitCode(1)
    },
  )

  command(program, 'rebuild', 'Rewrite every stored document and counter.').action(
    async (options: { json?: boolean }) => {
      const { countDocuments, rebuild } = await import('#program/rebuild.ts')
      const store = await openMigratedStore(terminal.config())
      try {
        const total = options.json === true ? 0 : await countDocuments(store.db)
        const work = { what: 'documents', total, json: options.json }
        const result = await withProgress(terminal, work, (onProgress) => rebuild(store.db, onProgress))
        print(
          terminal,
          options.json,
          result,
          Object.entries(result)
            .map(([name, count]) => `${count} ${name}`)
            .join(', '),
        )
      } finally {
        await closeStore(store)
      }
    },
  )

  command(program, 'pictures', 'List pictures that could not be fetched.')
    .option('--company <id>', 'of this company only', wholeNumber(1, Number.MAX_SAFE_INTEGER))
    .action(async (options: { company?: number; json?: boolean }) => {
      const store = await openMigratedStore(terminal.config())
      try {
        const failed = await listFailedPictures(store.db, options.company, 1000)
        const text = table(failed, 'Every picture is there.', {
          Company: ({ company_id }) => company_id,
          Picture: ({ id }) => id,
          Address: ({ source_url }) => source_url,
          Failure: ({ failure }) => failure ?? '',
        })
        print(terminal, options.json, { pictures: failed }, text)
      } finally {
        await closeStore(store)
      }
    })
}

function inWords({ ok, warning, what, detail, remedy }: Finding): string {
  const line = `${ok ? (warning === true ? 'warning' : 'ok  ') : 'BAD '} ${what}: ${detail}`
  return remedy === undefined ? line : `${line}\n     ${remedy}`
}
