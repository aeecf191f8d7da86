import { Gauge, type Registry } from 'prom-client'
import { type Db, isDatabaseAway } from '../db/database.ts'

/** One value of a gauge. Labels come from a short list of our own, and never name a company or a person. */
export type Reading = { name: string; labels?: Readonly<Record<string, string>>; value: number }

/** Gauges whose values are in the database, so that every process gives the same. */
export type Measures = {
  gauges: Readonly<Record<string, { help: string; labels?: readonly string[] }>>
  read(db: Db, now: Date): Promise<readonly Reading[]>
}

/** Several servers of Prometheus may ask at the same time. */
const FRESH_MS = 5000
/** Prometheus waits ten seconds by default. */
const PATIENCE_MS = 3000

type Sources = { db: Db; now: () => Date; measures: readonly Measures[] }

/** Registers gauges, and returns what reads them before a scrape. A database that is away leaves them without a value. */
export function addMeasures(registry: Registry, { db, now, measures }: Sources): () => Promise<void> {
  const up = new Gauge({
    name: 'licet_database_up',
    help: 'Whether the database has answered the questions for these metrics: 1 or 0.',
    registers: [registry],
  })
  const gauges = new Map<string, Gauge>()
  const unlabelled = new Set<Gauge>()
  for (const { gauges: described } of measures)
    for (const [name, { help, labels = [] }] of Object.entries(described)) {
      const gauge = new Gauge({ name, help, labelNames: [...labels], registers: [registry] })
      gauges.set(name, gauge)
      if (labels.length === 0) unlabelled.add(gauge)
    }
  let readAt = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const time = now()
    const late = new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), PATIENCE_MS).unref())
    const all = Promise.all(measures.map((source) => source.read(db, time))).catch((error) => {
      if (!isDatabaseAway(error)) throw error
      return undefined
    })
    const readings = await Promise.race([all, late])
    // Kinds that have gone must not keep their last value.
    for (const gauge of gauges.values()) {
      gauge.reset()
      // One without labels would say 0.
      if (unlabelled.has(gauge)) gauge.remove()
    }
    up.set(readings === undefined ? 0 : 1)
    for (const { name, labels = {}, value } of readings?.flat() ?? []) gauges.get(name)?.set(labels, value)
  }

  return async () => {
    if (performance.now() - readAt < FRESH_MS) return
    reading ??= read().finally(() => {
      readAt = performance.now()
      reading = undefined
    })
    await reading
  }
}
