import type { Db, Tx } from '#platform/db/database.ts'
import type { Change, KeptLine, UndoOutcome, UndoReport } from './state.ts'

type Of = { companyId: number; importId: number }

const LINES_MAX = 500
/** The number of a change is an integer of PostgreSQL. */
const AFTER_ALL = 2_147_483_647

/** Every read of the changes of an import starts here, so none can forget the company. */
function changesOf(db: Db, { companyId, importId }: Of) {
  return db.selectFrom('import_changes').where('company_id', '=', companyId).where('import_id', '=', importId)
}

const COLUMNS = ['number', 'line', 'kind', 'thing_id', 'name', 'before', 'after'] as const

/** Changes that are still to be undone, the last ones first. */
export function readOpenChanges(db: Db, of: Of, limit: number, before = AFTER_ALL): Promise<Change[]> {
  return changesOf(db, of)
    .select(COLUMNS)
    .$narrowType<Change>()
    .where('outcome', 'is', null)
    .where('number', '<', before)
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

/** readOpenChanges that locks them: two workers do not undo the same one. */
export function lockOpenChanges(tx: Tx, of: Of, limit: number): Promise<Change[]> {
  return changesOf(tx, of)
    .select(COLUMNS)
    .$narrowType<Change>()
    .where('outcome', 'is', null)
    .orderBy('number', 'desc')
    .limit(limit)
    .forUpdate()
    .execute()
}

export async function countChanges(db: Db, of: Of): Promise<{ all: number; open: number }> {
  const { all, open } = await changesOf(db, of)
    .select((select) => [
      select.fn.countAll<number>().as('all'),
      select.fn.countAll<number>().filterWhere('outcome', 'is', null).as('open'),
    ])
    .executeTakeFirstOrThrow()
  return { all, open }
}

/** What has become of all changes. */
export async function readUndoReport(db: Db, of: Of): Promise<UndoReport> {
  const [counts, lines] = await Promise.all([
    changesOf(db, of)
      .select(['outcome', (select) => select.fn.countAll<number>().as('count')])
      .groupBy('outcome')
      .execute(),
    changesOf(db, of)
      .select(['line', 'kind', 'name', 'reason', 'fields'])
      .$narrowType<KeptLine>()
      .where('reason', 'is not', null)
      .orderBy('line')
      .orderBy('number')
      .limit(LINES_MAX)
      .execute(),
  ])
  const countOf = (outcome: UndoOutcome) => counts.find((each) => each.outcome === outcome)?.count ?? 0
  return {
    removed: countOf('removed'),
    restored: countOf('restored'),
    kept: countOf('kept'),
    gone: countOf('gone'),
    lines,
  }
}
