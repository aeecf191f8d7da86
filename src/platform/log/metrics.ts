import { statfs } from 'node:fs/promises'
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { addMeasures } from './measures.ts'

export type Metrics = ReturnType<typeof createMetrics>

/** What Prometheus reads: the process, the requests, the jobs. */
export function createMetrics(pool?: { totalCount: number; idleCount: number; waitingCount: number }) {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const requestSeconds = new Histogram({
    name: 'licet_http_request_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5],
    registers: [registry],
  })
  const jobs = new Counter({
    name: 'licet_jobs_total',
    help: 'Jobs by what became of them.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const jobsRunning = new Gauge({
    name: 'licet_jobs_running',
    help: 'Jobs that this process is doing.',
    labelNames: ['lane'],
    registers: [registry],
  })
  const posts = new Counter({
    name: 'licet_posts_total',
    help: 'Requests to addresses given from outside, by what came of them.',
    labelNames: ['outcome'],
    registers: [registry],
  })
  const batched = new Counter({
    name: 'licet_batched_total',
    help: 'What is collected in memory and written in batches, by what became of it.',
    labelNames: ['kind', 'outcome'],
    registers: [registry],
  })
  const longReads = new Counter({
    name: 'licet_long_reads_total',
    help: 'Statistics and exports, by where they were read: the standby, or the primary although there is a standby.',
    labelNames: ['place'],
    registers: [registry],
  })
  const backups = new Gauge({
    name: 'licet_backup_last_success_seconds',
    help: 'When the last backup of the schedule was finished and checked, in seconds since 1970; 0: never.',
    registers: [registry],
  })
  const failing = new Gauge({
    name: 'licet_backup_failing',
    help: 'Is something wrong with the backups of the schedule (1)?',
    registers: [registry],
  })
  if (pool !== undefined) {
    new Gauge({
      name: 'licet_database_connections',
      help: 'Connections of this process to the database.',
      labelNames: ['state'],
      registers: [registry],
      collect() {
        this.set({ state: 'open' }, pool.totalCount)
        this.set({ state: 'idle' }, pool.idleCount)
        this.set({ state: 'waited_for' }, pool.waitingCount)
      },
    })
  }
  const refused = new Counter({
    name: 'licet_requests_refused_total',
    help: 'Requests that were refused because there was too much to do, by their priority.',
    labelNames: ['priority'],
    registers: [registry],
  })
  // A child per route and status is looked up once: the labels of a histogram are hashed at every call otherwise.
  const children = new Map<string, { observe(value: number): void }>()
  function answered(method: string, route: string, status: number, seconds: number): void {
    const key = `${method} ${route} ${status}`
    let child = children.get(key)
    if (child === undefined) {
      child = requestSeconds.labels(method, route, String(status))
      children.set(key, child)
    }
    child.observe(seconds)
  }
  let refresh = async () => {}
  return {
    contentType: registry.contentType,
    async read() {
      await refresh()
      return registry.metrics()
    },
    async list() {
      // The last export comes when the database is closed already; the rest is sent all the same.
      await refresh().catch(() => undefined)
      return registry.getMetricsAsJSON()
    },
    /** From now on the numbers of the database are read with each scrape. */
    measure(sources: Parameters<typeof addMeasures>[1]) {
      refresh = addMeasures(registry, sources)
    },
    names: () => registry.getMetricsAsArray().map(({ name }) => name),
    watchFolder: (folder: string) => addFolder(registry, folder),
    watchNotices(notices: { isListening(): boolean }) {
      new Gauge({
        name: 'licet_notices_listening',
        help: 'Whether this process hears of changes that other processes make: 1 or 0.',
        registers: [registry],
        collect() {
          this.set(notices.isListening() ? 1 : 0)
        },
      })
    },
    jobDone: (kind: string, outcome: 'done' | 'retried' | 'failed') => jobs.inc({ kind, outcome }),
    jobStarted: (lane: string) => jobsRunning.inc({ lane }),
    backedUp(last: Date | undefined, isFailing: boolean) {
      backups.set(last === undefined ? 0 : Math.floor(last.getTime() / 1000))
      failing.set(isFailing ? 1 : 0)
    },
    choseStandby: (isChosen: boolean) => longReads.inc({ place: isChosen ? 'standby' : 'primary' }),
    posted: (outcome: string) => posts.inc({ outcome }),
    batched: (kind: string, outcome: 'written' | 'lost', count: number) => batched.inc({ kind, outcome }, count),
    jobEnded: (lane: string) => jobsRunning.dec({ lane }),
    answered,
    /** How much is refused and why, for the service that refuses requests. */
    shedding(queues: readonly string[], level: () => number) {
      for (const priority of ['low', 'normal', 'high']) refused.inc({ priority }, 0)
      new Gauge({
        name: 'licet_shedding_level',
        help: 'How much is refused: from 0 (nothing) over 1 (all of low priority) and 2 (of normal, too) to 3 (everything).',
        registers: [registry],
        collect() {
          this.set(level())
        },
      })
      const waits = new Gauge({
        name: 'licet_wait_seconds',
        help: 'How long work waits at the moment, by what it waits for.',
        labelNames: ['queue'],
        registers: [registry],
      })
      const children = new Map(queues.map((queue) => [queue, waits.labels(queue)]))
      return {
        refused: (priority: string) => refused.inc({ priority }),
        waited: (queue: string, seconds: number) => children.get(queue)?.set(seconds),
      }
    },
    watch(app: FastifyInstance) {
      app.addHook('onResponse', (request, reply, done) => {
        answered(request.method, request.routeOptions.url ?? 'unknown', reply.statusCode, reply.elapsedTime / 1000)
        done()
      })
    },
  }
}

/** The disk that a folder is on. */
function addFolder(registry: Registry, folder: string): void {
  const size = new Gauge({
    name: 'licet_storage_bytes',
    help: 'Size of the disk that the data folder is on.',
    registers: [registry],
  })
  new Gauge({
    name: 'licet_storage_free_bytes',
    help: 'What is free of it.',
    registers: [registry],
    async collect() {
      const found = await statfs(folder).catch(() => undefined)
      if (found === undefined) return
      this.set(found.bavail * found.bsize)
      size.set(found.blocks * found.bsize)
    },
  })
}
