import { mock } from 'node:test'
import pg from 'pg'
import type { Service } from './harness.ts'

export type Sent = { text: string; values: unknown[] }

/** What EXPLAIN says of one step of a plan; the steps below it are in `Plans`. */
export type Step = {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  'Heap Fetches'?: number
  'Shared Hit Blocks': number
  'Shared Read Blocks': number
  Plans?: Step[]
}

/** The statements with values that this process sends to the database while a task runs. */
export async function statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
  const { query } = pg.Client.prototype as unknown as { query(...args: unknown[]): unknown }
  const sent: Sent[] = []
  const spy = mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
    const { text, values } = args[0] as Partial<Sent>
    if (text !== undefined && values !== undefined) sent.push({ text, values })
    return query.apply(this, args)
  } as never)
  try {
    await work()
  } finally {
    spy.mock.restore()
  }
  return sent
}

/** Runs a statement again, and says how PostgreSQL did it. */
async function explain({ database }: Service, { text, values }: Sent): Promise<Step> {
  const client = new pg.Client(database.connection)
  await client.connect()
  try {
    const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values)
    return rows[0]['QUERY PLAN'][0].Plan
  } finally {
    await client.end()
  }
}

/** How PostgreSQL does the statements that a task sends and that name a table. */
export async function plansOf(service: Service, table: string, work: () => Promise<unknown>): Promise<Step[]> {
  const sent = await statementsOf(work)
  const named = sent.filter(({ text }) => text.includes(`"${table}"`) || text.includes(`${table} `))
  return Promise.all(named.map((statement) => explain(service, statement)))
}

export function stepsOf(step: Step): Step[] {
  return [step, ...(step.Plans ?? []).flatMap(stepsOf)]
}

/** How many blocks of tables and indexes a statement looked at. */
export function buffersOf(step: Step): number {
  return step['Shared Hit Blocks'] + step['Shared Read Blocks']
}

/** How many rows of a table were read: an index that has all that is asked for makes it unnecessary. */
export function rowsRead(plan: Step, table: string): number {
  return stepsOf(plan)
    .filter((step) => step['Relation Name'] === table)
    .reduce((sum, step) => sum + (step['Heap Fetches'] ?? step['Actual Rows'] * step['Actual Loops']), 0)
}
