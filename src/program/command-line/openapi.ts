import { createClock } from '#platform/clock.ts'
import { openDatabase } from '#platform/db/database.ts'
import { createNotices } from '#platform/db/notices/notices.ts'
import { createFiles } from '#platform/files/files.ts'
import { createVault } from '#platform/identity/vault.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { createApp } from '../../app.ts'

/** The document needs only the routes: their database is never connected to. */
export async function openApiDocument(): Promise<object> {
  const handle = openDatabase({ host: '/nowhere', user: '', database: '' }, { poolMax: 1 })
  const config = {
    rateLimit: { burst: 1, perSecond: 1 },
    bodyLimitBytes: 1024,
    metricsToken: undefined,
    trustProxy: [],
    connections: { perAddressMax: 1, totalMax: 1, stalledMs: 1000 },
    transfers: { uploadFolder: '.', uploadBytesMax: 1, accelPath: undefined },
    reading: undefined,
    drmProxy: undefined,
    serviceUrls: { gateways: {}, vies: '' },
    mail: undefined,
    deletion: { waitDays: 30, booksYears: 10 },
    backups: undefined,
    shedding: { delayMsMax: 0 },
  }
  const app = await createApp({
    db: handle.db,
    reads: handle.reads,
    notices: createNotices(handle.pool, createLog('silent')),
    vault: createVault(''),
    clock: createClock(),
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
