import type { Large } from './large.ts'
import type { Seen } from './seen.ts'
import { FEW_ROWS } from './sizes.ts'

type Step = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Filter?: string
  Plans?: Step[]
}

/** These read all of what is below them before they give anything on. */
const READS_ALL = /^(?:Sort|Hash|Aggregate|Materialize|ModifyTable|SetOp)$/

/** A table or column that a test has made for itself. */
const UNKNOWN = new Set(['42P01', '42703', '42883'])

/** What was explained, what could not be, and the statements that walk through a large table, each as a sentence. */
export type Scans = { explained: number; unknown: Seen[]; found: string[] }

/** Explains statements as PostgreSQL runs them when it does not look at their values. */
export async function scansIn({ client, rows, partial }: Large, statements: readonly Seen[]): Promise<Scans> {
  const scans: Scans = { explained: 0, unknown: [], found: [] }
  for (const seen of statements) {
    const plan = await explain(client, seen)
    if (plan === undefined) {
      scans.unknown.push(seen)
      continue
    }
    scans.explained += 1
    const walked = new Set(walksOf(plan, false, { rows, partial }))
    for (const walk of walked) scans.found.push(`${walk}, in ${seen.from}:\n  ${seen.text.replace(/\s+/g, ' ')}`)
  }
  return scans
}

async function explain(client: Large['client'], { text, from }: Seen): Promise<Step | undefined> {
  try {
    const { rows } = await client.query(`explain (generic_plan, format json) ${text}`)
    return rows[0]['QUERY PLAN'][0].Plan
  } catch (error) {
    if (UNKNOWN.has((error as { code?: string }).code ?? '')) return undefined
    throw new Error(`cannot explain the statement of ${from}: ${text}`, { cause: error })
  }
}

/** `isLimited`: a limit ends the step before it has read everything. */
function walksOf(step: Step, isLimited: boolean, sizes: Pick<Large, 'rows' | 'partial'>): string[] {
  const type = step['Node Type']
  const limited = type === 'Limit' || (isLimited && !READS_ALL.test(type))
  const below = (step.Plans ?? []).flatMap((each) => walksOf(each, limited, sizes))
  const table = step['Relation Name'] ?? ''
  if ((sizes.rows.get(table) ?? 0) <= FEW_ROWS) return below
  // Where every row fits, a limit ends it soon.
  if (isLimited && step.Filter === undefined) return below
  if (type === 'Seq Scan') return [`${table} is read sequentially`, ...below]
  const index = step['Index Name']
  if (index === undefined || !/^Index/.test(type) || step['Index Cond'] !== undefined) return below
  if (sizes.partial.has(index)) return below
  return [`${table} is read through all of ${index}`, ...below]
}
