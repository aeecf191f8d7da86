// A worker process whose clock runs faster than time, so that the waits of the retry schedule pass in seconds.

import { createClock } from '#platform/clock.ts'
import { createNotices } from '#platform/db/notices/notices.ts'
import { createFiles } from '#platform/files/files.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createDns } from '#platform/outbound/dns.ts'
import { createOutbound } from '#platform/outbound/outbound.ts'
import { readConfig } from '#platform/settings/config.ts'
import { openMigratedStore } from '#program/boot/store.ts'
import { createWorker } from '../../src/worker.ts'

const [startMs = 0, times = 1] = process.argv.slice(2).map(Number)
const { MOLLIE_URL = process.env.LICET_MOLLIE_URL } = process.env
const clock = createClock({ now: () => new Date(startMs + (Date.now() - startMs) * times) })
const config = readConfig(process.env)
const { db, pool, vault } = await openMigratedStore(config)
const log = createLog(config.logLevel)
const notices = createNotices(pool, log)
const files = createFiles(config.dataFolder)
const outbound = createOutbound(config)
const shared = { db, notices, vault, clock, log, metrics: createMetrics(), files, outbound, dns: createDns() }
const worker = createWorker({
  ...shared,
  ownHost: 'localhost',
  uploadFolder: '.uploads',
  mail: config.mail,
  currencyRatesUrl: '',
  serviceUrls: { gateways: MOLLIE_URL === undefined ? {} : { mollie: MOLLIE_URL }, vies: '' },
  baseUrl: 'http://localhost',
  failedJobDays: 30,
})
notices.start()
worker.start()
console.log('{"status":"running"}')
