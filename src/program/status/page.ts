import type { FastifyInstance } from 'fastify'
import type { MachineClock } from '#platform/clock.ts'
import { type Db, isDatabaseAway } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { PageSite } from '#platform/pages/answers.ts'
import { readerOf } from '#platform/pages/reader.ts'
import { addPages } from '#platform/pages/site.ts'
import { noteWorking } from './commands.ts'
import { readDays } from './queries.ts'
import { firstDay, type PartStatus, statusOf } from './rules.ts'
import { PARTS } from './state.ts'
import { statusPage } from './views.ts'

const FRESH_MS = 20_000
const NOTE_MS = 30_000
/** A database that takes longer counts as away. */
const PATIENCE_MS = 2000

type Options = { db: Db; reads: Db; clock: MachineClock; site: PageSite }

/** The status page on the service's own host, and the note that this process answers. */
export function addStatusPage(app: FastifyInstance, { db, reads, clock, site }: Options): void {
  addPages(app, site)
  const read = createReader(reads, clock)
  // Whoever opens it while there is too much to do wants to know just that.
  const config = { public: true, priority: 'always' } as const
  const options = { config, schema: { hide: true }, constraints: { site: 'own' } } as const
  app.get('/status', options, async (request, reply) => {
    const { t } = readerOf(request)
    return reply.header('vary', 'accept-language').page(statusPage(t, await read()), { caching: 'public, max-age=30' })
  })
  const note = () => inTransaction(db, (tx) => noteWorking(tx, ['shops'], clock.now())).catch(() => {})
  const timer = setInterval(note, NOTE_MS).unref()
  app.addHook('onReady', note)
  app.addHook('onClose', async () => clearInterval(timer))
}

type Known = { parts: readonly PartStatus[]; isAway: boolean; at: Date | undefined }

/** Reads what the page shows, for all visitors together. What was read last is shown while the database is away. */
function createReader(reads: Db, clock: MachineClock): () => Promise<Known> {
  let known: Known = { parts: statusOf([], clock.now()), isAway: true, at: undefined }
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const now = clock.now()
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS).unref())
    const rows = await Promise.race([readDays(reads, firstDay(now)), late]).catch((error) => {
      if (!isDatabaseAway(error)) throw error
      return undefined
    })
    known = rows === undefined ? { ...known, isAway: true } : { parts: statusOf(rows, now), isAway: false, at: now }
  }

  return async () => {
    if (performance.now() - readAt > FRESH_MS) {
      reading ??= read().finally(() => {
        readAt = performance.now()
        reading = undefined
      })
      await reading
    }
    return known.parts.length === PARTS.length ? known : { ...known, parts: statusOf([], clock.now()) }
  }
}
