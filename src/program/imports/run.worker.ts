import { findCompany, getSeller } from '#identity/companies/queries.ts'
import { isDatabaseAway, type Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler, type JobHandler } from '#platform/jobs/handlers.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { finishJob, renewLease } from '#platform/jobs/queue.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { noteOutcome, noteProgress, type Outcome, recordImport } from './commands.ts'
import { csvOf } from './csv/content.ts'
import { SHOP_NAMES } from './csv/presets/state.ts'
import { openCsv } from './csv/source.ts'
import type { Entry, Kind, Source } from './importer/entries.ts'
import { importSource } from './importer/run.ts'
import { UnreadableFile } from './importer/unreadable.ts'
import { CHECK_IMPORT, type OfImport, RUN_IMPORT } from './jobs.ts'
import { findImport, readContent } from './queries.ts'
import { summarize } from './report.rules.ts'
import { choicesOf } from './rules.ts'
import type { ImportState } from './state.ts'
import { createRecorder } from './undo/recorder.ts'

type ImportJob = Job<OfImport, number>
type Dependencies = Pick<WorkDependencies, 'db' | 'clock' | 'log' | 'baseUrl'>

const PROGRESS_MS = 1000
/** Of these, examples are shown. */
const SEEN_MAX = 500
/** What is no mistake of the file may pass: the database was restarted, say. */
const TRIES_MAX = 3

/** Thrown inside of the transaction of an import that is no longer wanted, so that nothing of it is kept. */
class Superseded extends Error {}

/** Handles CHECK_IMPORT and RUN_IMPORT. */
export function createImportHandlers({ db, clock, log, baseUrl }: Dependencies): JobHandler[] {
  return [
    createHandler(CHECK_IMPORT, (job) => work(job, true), giveUp),
    createHandler(RUN_IMPORT, (job) => work(job, false), giveUp),
  ]

  async function work(job: ImportJob, isDryRun: boolean): Promise<void> {
    const { companyId, data } = job
    const of = { companyId, id: data.id, revision: data.revision }
    const state = await findImport(db, companyId, data.id)
    const expected = isDryRun ? 'checking' : 'importing'
    if (state === undefined || state.revision !== data.revision || state.state !== expected) return
    try {
      await runImport(job, state, isDryRun)
    } catch (error) {
      if (error instanceof Superseded) return
      const problem = problemOf(error, state, job)
      if (problem === undefined) throw error
      if (!(error instanceof UnreadableFile)) log.error({ err: error, import: data.id }, 'an import broke off')
      await inTransaction(db, (tx) => noteOutcome(tx, of, { state: 'failed', problem }, clock.of(of.companyId)))
    }
  }

  async function runImport(job: ImportJob, state: ImportState, isDryRun: boolean): Promise<void> {
    const { companyId, data } = job
    const of = { companyId, id: data.id, revision: data.revision }
    const seen = new Map<string, Entry>()
    const source = noting(await open(companyId, state), seen)
    const total = [...source.lists.values()].reduce((sum, count) => sum + count, 0)
    const progress = createProgress(job, of, total)
    const author = { companyId, userId: data.userId, appId: data.appId, origin: data.origin }
    let isKept = false
    const report = await importSource(db, source, {
      companyId,
      author,
      isDryRun,
      now: clock.of(companyId),
      origin: state.exported_from === null ? undefined : SHOP_NAMES[state.exported_from],
      ...(isDryRun ? {} : { recorder: createRecorder({ companyId, importId: data.id }) }),
      baseUrl,
      onProgress: progress.note,
      onImported: async (tx, imported) => {
        await progress.end()
        const summary = summarize(imported, seen)
        await recordImport(tx, author, state, summary, clock.of(companyId))
        await finish(tx, job, { state: 'imported', total, report: summary })
        isKept = true
      },
    })
    await progress.end()
    // A file with mistakes was rolled back, as a check is. What was found out about it is kept.
    if (!isKept)
      await inTransaction(db, (tx) => finish(tx, job, { state: 'checked', total, report: summarize(report, seen) }))
  }

  /** Ends the job with its result, or refuses it: a worker whose lease ran out must not import a second time. */
  async function finish(tx: Tx, job: ImportJob, outcome: Outcome): Promise<void> {
    const of = { companyId: job.companyId, id: job.data.id, revision: job.data.revision }
    if (!(await finishJob(tx, job))) throw new Superseded()
    if (!(await noteOutcome(tx, of, outcome, clock.of(job.companyId)))) throw new Superseded()
  }

  async function open(companyId: number, { id, kind, encoding, ...state }: ImportState): Promise<Source> {
    const [content, { currency }, company] = await Promise.all([
      readContent(db, companyId, id),
      getSeller(db, companyId),
      findCompany(db, companyId),
    ])
    const defaults = { currency, language: company?.language ?? 'en' }
    return openCsv(csvOf(content, encoding), kind ?? undefined, defaults, choicesOf(state), state.exported_from)
  }

  /** Tells readers how far it is, on another connection than the import's own, and keeps the job. */
  function createProgress(job: ImportJob, of: { companyId: number; id: number; revision: number }, total: number) {
    let last = 0
    let writing: Promise<void> | undefined
    const write = async (done: number) => {
      try {
        await renewLease(db, job, clock.now())
        await inTransaction(db, (tx) => noteProgress(tx, of, done, total))
      } catch (error) {
        log.warn({ err: error, import: of.id }, 'the progress of an import was not noted')
      } finally {
        writing = undefined
      }
    }
    return {
      note(done: number): void {
        if (writing !== undefined || performance.now() - last < PROGRESS_MS) return
        last = performance.now()
        writing = write(done)
      },
      end: async () => writing,
    }
  }

  /** A file that ended every worker that tried it. */
  async function giveUp({ companyId, data }: ImportJob): Promise<void> {
    const of = { companyId, id: data.id, revision: data.revision }
    const problem = { reason: 'internal' as const, line: null, message: BROKE_OFF }
    await inTransaction(db, (tx) => noteOutcome(tx, of, { state: 'failed', problem }, clock.of(of.companyId)))
  }
}

const BROKE_OFF = 'The import broke off. Nothing was changed. Try it again, or send the file in parts.'

/** What people are told of a failure; undefined if it is worth another try. */
function problemOf(error: unknown, { file_name }: ImportState, { attempts }: ImportJob) {
  if (error instanceof UnreadableFile)
    return { reason: error.reason, line: error.line ?? null, message: `${error.sentenceFor(file_name)}.` }
  if (isDatabaseAway(error) || attempts < TRIES_MAX) return undefined
  return { reason: 'internal' as const, line: null, message: BROKE_OFF }
}

/** The same source, which notes the first entries that are read. */
function noting(source: Source, seen: Map<string, Entry>): Source {
  return {
    ...source,
    async *read(kind: Kind) {
      for await (const entry of source.read(kind)) {
        if (seen.size < SEEN_MAX) seen.set(entry.where, entry)
        yield entry
      }
    },
  }
}
