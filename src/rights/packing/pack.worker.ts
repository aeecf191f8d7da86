import { rm } from 'node:fs/promises'
import { isBeingCopied } from '#platform/db/table-copies.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler, type JobHandler } from '#platform/jobs/handlers.ts'
import { keepLease } from '#platform/jobs/keep-lease.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { enqueue } from '#platform/jobs/queue.ts'
import { TRIES_MAX } from '#platform/jobs/retry.ts'
import type { WorkDependencies } from '#platform/resource.ts'
import { fetchMore, markFailed, recordPart } from './commands.ts'
import type { PackingFault } from './faults.facts.ts'
import { DELETE_PACKED, PACK_PART } from './jobs.ts'
import { bringSource, dropSource, makeWorkFolder, type Packers, packLocally, storePart } from './pack.files.ts'
import { findPackedFile, readNext } from './queries.ts'
import type { PackedFileState } from './state.ts'

/** A part is packed in seconds, and what is done is kept if the worker is killed. */
const PART_BYTES = 256 * 1_048_576
const PUT_OFF_MS = 60_000

type PackingJob = Job<{ id: number }, number>

export type PackingDependencies = Pick<WorkDependencies, 'db' | 'files' | 'clock' | 'uploadFolder'>

/** Handles PACK_PART: packs and stores one part, or records why that is not possible. */
export function createPacker(
  { db, files, clock, uploadFolder }: PackingDependencies,
  { bytesMax = PART_BYTES, packers }: { bytesMax?: number; packers?: Packers } = {},
): JobHandler {
  const now = clock.of

  async function packNext(job: PackingJob): Promise<void> {
    const { companyId, data } = job
    const file = await findPackedFile(db, companyId, data.id)
    // Another machine may have packed the last part, or the film is gone.
    if (file === undefined || file.state !== 'pending')
      return dropSource(uploadFolder, { company_id: companyId, id: data.id })
    await keepLease({ db, clock }, job, async () => {
      const source = await bringSource(files, uploadFolder, file)
      if (source.kind === 'gone') return fail(file, 'source_gone')
      if (source.kind === 'more') return inTransaction(db, (tx) => fetchMore(tx, file, now(file.company_id)))
      const folder = await makeWorkFolder(uploadFolder, file)
      try {
        await packFrom(file, source.path, folder, job.attempts)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    })
  }

  async function packFrom(file: PackedFileState, path: string, folder: string, attempts: number): Promise<void> {
    const { number, from } = await readNext(db, file.company_id, file.id)
    const packed = await packLocally({ path, folder, number, from, bytesMax }, packers)
    if (packed.kind === 'ended') {
      // A machine that is busy or short of memory is none of the film's business: it is tried again, later and later.
      if (attempts < TRIES_MAX) throw new Error('packing took too much memory or time')
      return fail(file, 'too_complex')
    }
    if (packed.kind === 'refused') return fail(file, packed.fault, packed.codec)
    const { duration, next, described } = packed
    const tracks = await storePart(files, file, folder, packed)
    const part = { number, next_seconds: next, tracks, duration, described }
    const isKept = await inTransaction(db, (tx) => recordPart(tx, file, part, now(file.company_id)))
    if (!isKept) for (const { key } of tracks) await files.delete(key)
    if (next === null) await dropSource(uploadFolder, file)
  }

  async function fail(file: PackedFileState, fault: PackingFault, codec: string | null = null): Promise<void> {
    await inTransaction(db, (tx) => markFailed(tx, file, { fault, codec }, now(file.company_id)))
    await dropSource(uploadFolder, file)
  }

  /** A file that ended every worker that tried it. */
  async function giveUp({ companyId, data }: PackingJob): Promise<void> {
    const file = await findPackedFile(db, companyId, data.id)
    if (file !== undefined) await fail(file, 'too_complex')
  }

  return createHandler(PACK_PART, packNext, giveUp)
}

/** Handles DELETE_PACKED. While a backup is made, the bytes may belong to it, so the job is put off. */
export function createDeleter({ db, files, clock }: PackingDependencies): JobHandler {
  return createHandler(DELETE_PACKED, async ({ companyId, data }) => {
    if (!(await isBeingCopied(db))) return files.deleteAll(data.folder)
    const now = clock.of(companyId)
    const later = new Date(now.getTime() + PUT_OFF_MS)
    return inTransaction(db, (tx) => enqueue(tx, { kind: DELETE_PACKED, companyId, data }, now, later))
  })
}
