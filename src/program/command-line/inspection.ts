import type { Command } from 'commander'
import { listFailedPictures } from '#catalog/pictures/queries.ts'
import { systemClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/db/database.ts'
import { createNotices } from '#platform/db/notices.ts'
import { createFiles } from '#platform/files/files.ts'
import { createVault } from '#platform/identity/vault.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { closeStore, openMigratedStore } from '#program/boot/store.ts'
import { countDocuments, rebuild } from '#program/rebuild.ts'
import { type Finding, runChecks } from './doctor.ts'
import { command, print, type Terminal, wholeNumber } from './program.ts'
import { withProgress } from './terminal/progress.ts'
import { table } from './terminal/table.ts'

export function addInspection(program: Command, terminal: Terminal): void {
  command(program, 'openapi', 'Print the OpenAPI document.').action(async () =>
    terminal.out(JSON.stringify(await openApiDocument(), null, 2)),
  )

  command(program, 'doctor', 'Check the installation and say what is wrong.')
    .option('--env-file <file>', 'read the settings from this file, as the service does')
    .action(async (options: { envFile?: string; json?: boolean }) => {
      const findings = await runChecks(terminal.config(options.envFile))
      const healthy = findings.every(({ ok }) => ok)
      print(terminal, options.json, { healthy, findings }, findings.map(inWords).join('\n'))
      if (!healthy) terminal.exitCode(1)
    })

  command(program, 'rebuild', 'Rewrite every stored document and counter.').action(
    async (options: { json?: boolean }) => {
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

function inWords({ ok, warning, what, detail }: Finding): string {
  return `${ok ? (warning === true ? 'warning' : 'ok  ') : 'BAD '} ${what}: ${detail}`
}

/** The document needs only the routes: their database is never connected to. */
export async function openApiDocument(): Promise<object> {
  const { createApp } = await import('../../app.ts')
  const handle = openDatabase({ host: '/nowhere', user: '', database: '' }, { poolMax: 1 })
  const config = {
    rateLimit: { burst: 1, perSecond: 1 },
    bodyLimitBytes: 1024,
    metricsToken: undefined,
    trustProxy: [],
    connections: { perAddressMax: 1, totalMax: 1, stalledMs: 1000 },
    transfers: { uploadFolder: '.', uploadBytesMax: 1, accelPath: undefined },
    serviceUrls: { gateways: {}, vies: '' },
  }
  const app = await createApp({
    db: handle.db,
    reads: handle.reads,
    notices: createNotices(handle.pool, createLog('silent')),
    vault: createVault(''),
    clock: systemClock,
    log: createLog('silent'),
    metrics: createMetrics(),
    files: createFiles('.'),
    outbound: createOutbound({}),
    config,
  })
  await app.ready()
  const document = app.swagger()
  await app.close()
  return document
}
