import { randomUUID } from 'node:crypto'
import { isbot } from 'isbot'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Log } from '#platform/log/log.ts'
import type { Metrics } from '#platform/log/metrics.ts'
import type { Landing } from '#shop/checkout/state.ts'
import { operatingSystemOf } from '#shop/site/browsers.rules.ts'
import { addLostViews, type PageViewRow, writeViews } from './commands.ts'
import { createDays, visitorOf } from './days.worker.ts'
import { findLanding } from './queries.ts'
import { deviceOf } from './rules.ts'
import type { Batch, Browser, Day, PageView } from './state.ts'

export type RecorderOptions = {
  db: Db
  reads: Db
  clock: Clock
  log: Pick<Log, 'warn' | 'error'>
  metrics: Pick<Metrics, 'batched'>
  /** How long views are kept in memory before they are written. */
  flushMs?: number
  /** How many views are kept in memory while they cannot be written. */
  viewsMax?: number
}

export type Recorder = ReturnType<typeof createRecorder>

const FLUSH_MS = 5000
const VIEWS_MAX = 20_000
const BATCH_MAX = 2000
/** Five minutes of attempts. */
const TRIES_MAX = 60

/** Collects the page views of this process and writes them in batches, so that a page costs no statement more. */
export function createRecorder(options: RecorderOptions) {
  const { db, reads, clock, log, metrics, flushMs = FLUSH_MS, viewsMax = VIEWS_MAX } = options
  let views: PageView[] = []
  let waiting: Batch[] = []
  let count = 0
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  const lost = new Map<number, number>()
  const days = createDays(db, clock)

  function add(view: PageView): void {
    if (count < viewsMax) {
      views.push(view)
      count += 1
      wakeLater()
    } else lose(view)
  }

  function wakeLater(): void {
    timer ??= setTimeout(() => void flush(), flushMs).unref()
  }

  function lose({ companyId }: PageView): void {
    lost.set(companyId, (lost.get(companyId) ?? 0) + 1)
    metrics.batched('page_view', 'lost', 1)
    wakeLater()
  }

  /** Writes the views that are waiting. It does not reject: those that cannot be written are tried again later. */
  async function flush(): Promise<void> {
    // Two flushes at the same time would write the same batches.
    while (running !== undefined) await running
    running = writeWaiting()
    await running
  }

  async function writeWaiting(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    for (let start = 0; start < views.length; start += BATCH_MAX)
      waiting.push({ id: randomUUID(), views: views.slice(start, start + BATCH_MAX), tries: 0 })
    views = []
    try {
      while (waiting[0] !== undefined) {
        await write(waiting[0])
        waiting.shift()
      }
      await writeLost()
    } catch (error) {
      log.warn({ err: error, views: count }, 'page views could not be written and are tried again')
      postpone()
    } finally {
      running = undefined
    }
    if (waiting.length > 0 || lost.size > 0) wakeLater()
  }

  async function write(batch: Batch): Promise<void> {
    const rows = await rowsOf(batch)
    const { late } = await inTransaction(db, (tx) => writeViews(tx, batch.id, rows))
    metrics.batched('page_view', 'written', rows.length - late)
    if (late > 0) metrics.batched('page_view', 'lost', late)
    count -= batch.views.length
  }

  /** The failed batch goes to the end, so that it delays no other, and is given up in the end. */
  function postpone(): void {
    const [failed] = waiting.splice(0, 1)
    if (failed === undefined) return
    failed.tries += 1
    if (failed.tries < TRIES_MAX) waiting.push(failed)
    else drop(failed)
  }

  function drop({ views: given }: Batch): void {
    count -= given.length
    for (const view of given) lose(view)
    log.error({ views: given.length }, 'page views are lost: they could not be written')
  }

  async function writeLost(): Promise<void> {
    for (const [companyId, number] of [...lost]) {
      const day = await days.dayOf(companyId, clock.now())
      await days.saltOf(day)
      await inTransaction(db, (tx) => addLostViews(tx, day, number))
      log.warn({ company_id: companyId, views: number }, 'page views were not counted')
      const more = (lost.get(companyId) ?? 0) - number
      if (more > 0) lost.set(companyId, more)
      else lost.delete(companyId)
    }
  }

  async function rowsOf(batch: Batch): Promise<PageViewRow[]> {
    const rows: PageViewRow[] = []
    for (const [position, view] of batch.views.entries()) {
      const day = await days.dayOf(view.companyId, view.at)
      rows.push(rowOf(view, day, await days.saltOf(day), position))
    }
    return rows
  }

  return {
    add,
    flush,
    /** How a visitor came to the shop; undefined if that is not known, or not written yet. */
    async findLanding(companyId: number, browser: Browser, at: Date): Promise<Landing | undefined> {
      const day = await days.dayOf(companyId, at)
      const salt = await days.saltOf(day)
      return salt === null ? undefined : findLanding(reads, day, visitorOf(browser, salt))
    },
    /** Writes what is waiting, for the last time. */
    async stop(): Promise<void> {
      await flush()
      clearTimeout(timer)
      if (count > 0) log.error({ views: count }, 'page views are lost: the service stops and they cannot be written')
      if (count > 0) metrics.batched('page_view', 'lost', count)
      ;[views, waiting, count] = [[], [], 0]
    },
  }
}

function rowOf(view: PageView, { day }: Day, salt: Buffer | null, position: number): PageViewRow {
  return {
    company_id: view.companyId,
    day,
    // A view of a day that has been counted is not stored, but counted as lost.
    visitor: salt === null ? '' : visitorOf(view, salt),
    position,
    at: view.at.toISOString(),
    theme_setting_id: view.shopId,
    path: view.path,
    campaign: view.campaign,
    referrer_host: view.referrerHost,
    country: view.country,
    language: view.language,
    ...browserOf(view.userAgent),
  }
}

type BrowserTraits = Pick<PageViewRow, 'operating_system' | 'device' | 'is_bot'>

const BROWSERS_MAX = 1000
const browsers = new Map<string, BrowserTraits>()

/** Many visitors have the same user agent, and the test for bots is a long expression. */
function browserOf(userAgent: string): BrowserTraits {
  const known = browsers.get(userAgent)
  if (known !== undefined) return known
  const operating_system = operatingSystemOf(userAgent)
  const device = deviceOf(userAgent, operating_system)
  // A browser says what it is.
  const browser = { operating_system, device, is_bot: userAgent === '' || isbot(userAgent) }
  if (browsers.size >= BROWSERS_MAX) browsers.clear()
  browsers.set(userAgent, browser)
  return browser
}
