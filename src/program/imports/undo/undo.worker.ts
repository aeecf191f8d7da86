import { isDatabaseAway, type Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { Problem } from '#platform/errors/problem.ts'
import type { Author } from '#platform/identity/caller.ts'
import { createHandler, type JobHandler } from '#platform/jobs/handlers.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { finishJob, renewLease } from '#platform/jobs/queue.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { type OfImport, UNDO_IMPORT } from '../jobs.ts'
import { findImport } from '../queries.ts'
import { noteUndone } from './changes.commands.ts'
import { countChanges, lockOpenChanges, readUndoReport } from './changes.queries.ts'
import { endUndo, failUndo, noteUndoProgress } from './commands.ts'
import { planChanges, undoneBy } from './plan.ts'
import type { Change, Plan } from './state.ts'
import { type Freed, nothingFreed, UNDOERS } from './undoers.ts'

type UndoJob = Job<OfImport, number>
type Dependencies = Pick<WorkDependencies, 'db' | 'clock' | 'log'>

/** Things that one transaction undoes: few, because nobody else can change them meanwhile. */
const AT_ONCE = 25
const TRIES_MAX = 3
const RENEWED_MS = 10_000

const BROKE_OFF = 'Undoing the import broke off. What is undone stays so. Try it again for the rest.'

/** Thrown inside of a transaction that nobody wants any more, so that nothing of it is kept. */
class Superseded extends Error {}

/**
 * Handles UNDO_IMPORT. Each transaction undoes a few things and notes it, so that a worker that is killed leaves the rest to the
 * next one, and nothing is undone twice.
 */
export function createUndoHandler({ db, clock, log }: Dependencies): JobHandler {
  /** What was read once for all things of a job. */
  const known = new Map<number, Pick<Freed, 'included'>>()
  return createHandler(UNDO_IMPORT, work, giveUp)

  async function work(job: UndoJob): Promise<void> {
    const { companyId, data } = job
    const state = await findImport(db, companyId, data.id)
    if (state === undefined || state.revision !== data.revision || state.state !== 'undoing') return
    const author = { companyId, userId: data.userId, appId: data.appId, origin: data.origin }
    try {
      await undoAll(job, author)
      await inTransaction(db, async (tx) => {
        if (!(await finishJob(tx, job))) throw new Superseded()
        await count(tx, job, 0)
        const report = await readUndoReport(tx, { companyId, importId: data.id })
        await endUndo(tx, author, state, report, clock.of(job.companyId))
      })
    } catch (error) {
      if (error instanceof Superseded) return
      if (isDatabaseAway(error) || job.attempts < TRIES_MAX) throw error
      log.error({ err: error, import: data.id }, 'undoing an import broke off')
      await giveUp(job)
    } finally {
      known.delete(job.id)
    }
  }

  async function undoAll(job: UndoJob, author: Author): Promise<void> {
    let renewed = performance.now()
    while ((await undoSome(job, author)) > 0) {
      if (performance.now() - renewed < RENEWED_MS) continue
      renewed = performance.now()
      await renewLease(db, job, clock.now())
    }
  }

  /** Undoes a few things together; if one of them is refused, each by itself, so that the others are undone. */
  async function undoSome(job: UndoJob, author: Author): Promise<number> {
    try {
      return await inTransaction(db, (tx) => undoNext(tx, job, author, AT_ONCE))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
    }
    let done = 0
    for (let each = 0; each < AT_ONCE; each += 1) {
      const more = await undoOne(job, author)
      done += more
      if (more === 0) break
    }
    return done
  }

  async function undoOne(job: UndoJob, author: Author): Promise<number> {
    try {
      return await inTransaction(db, (tx) => undoNext(tx, job, author, 1))
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      log.info({ err: error, import: job.data.id }, 'a change of an import cannot be undone')
      return inTransaction(db, (tx) => keepNext(tx, job))
    }
  }

  async function undoNext(tx: Tx, job: UndoJob, author: Author, limit: number): Promise<number> {
    const { companyId, data } = job
    const of = { companyId, importId: data.id }
    const changes = await lockOpenChanges(tx, of, limit)
    // Another worker, whose lease has ended, may have been at the same ones.
    if (changes.length === 0) return (await countChanges(tx, of)).open
    const now = clock.of(of.companyId)
    await lockThings(tx, companyId, changes)
    const freed = { ...nothingFreed(), ...known.get(job.id) }
    const plans = await planChanges(tx, companyId, changes, freed)
    if (freed.included !== undefined) known.set(job.id, { included: freed.included })
    const planOf = (change: Change): Plan => plans.get(change) ?? { action: 'gone' }
    for (const alike of inTurn(changes, planOf)) await apply(tx, author, alike, planOf, now)
    await noteUndone(
      tx,
      of,
      changes.map((change) => ({ number: change.number, ...undoneBy(planOf(change)) })),
    )
    // The row of the import is written last, so that whoever reads it waits for nothing.
    await count(tx, job, changes.length)
    return changes.length
  }

  async function count(tx: Tx, job: UndoJob, more: number): Promise<void> {
    if (!(await noteUndoProgress(tx, ofImport(job), more))) throw new Superseded()
  }

  /** Notes that the next change cannot be undone. */
  async function keepNext(tx: Tx, job: UndoJob): Promise<number> {
    const of = { companyId: job.companyId, importId: job.data.id }
    const [change] = await lockOpenChanges(tx, of, 1)
    if (change === undefined) return 0
    await noteUndone(tx, of, [{ number: change.number, outcome: 'kept', reason: 'refused', fields: [] }])
    await count(tx, job, 1)
    return 1
  }

  async function giveUp(job: UndoJob): Promise<void> {
    await inTransaction(db, (tx) => failUndo(tx, ofImport(job), BROKE_OFF, clock.of(job.companyId)))
  }
}

const ofImport = ({ companyId, data }: UndoJob) => ({ companyId, id: data.id, revision: data.revision })

async function lockThings(tx: Tx, companyId: number, changes: readonly Change[]): Promise<void> {
  for (const [kind, alike] of Map.groupBy(changes, (change) => change.kind)) {
    const ids = alike.map(({ thing_id }) => thing_id)
    await UNDOERS[kind].lock(tx, companyId, ids)
  }
}

/** The changes in their order; things of one kind that are removed one after another are removed together. */
function inTurn(changes: readonly Change[], planOf: (change: Change) => Plan): Change[][] {
  const turns: Change[][] = []
  for (const change of changes) {
    const [before] = turns.at(-1) ?? []
    const isAlike = before?.kind === change.kind && [before, change].every((each) => planOf(each).action === 'remove')
    if (isAlike) turns.at(-1)?.push(change)
    else turns.push([change])
  }
  return turns
}

async function apply(
  tx: Tx,
  author: Author,
  alike: readonly Change[],
  planOf: (change: Change) => Plan,
  now: Date,
): Promise<void> {
  const [first] = alike
  if (first === undefined) return
  const [undoer, plan] = [UNDOERS[first.kind], planOf(first)]
  if (plan.action === 'remove') {
    const ids = alike.map(({ thing_id }) => thing_id)
    await undoer.remove(tx, author, ids, now)
  }
  if (plan.action === 'restore') await undoer.restore(tx, author, first, plan.names, now)
}
