import { createHash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { isBeingCopied } from '#platform/db/table-copies.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Files } from '#platform/files/files.ts'
import { createHandler, type JobHandler } from '#platform/jobs/handlers.ts'
import type { Job } from '#platform/jobs/kinds.ts'
import { BEFORE_ALL_COPIES, deleteForgotten, deleteUnused, markFailed, markReady } from './commands.ts'
import { STAMP_FILE } from './jobs.ts'
import { findStampedFile } from './queries.ts'
import { NOT_STAMPABLE, SOURCE_GONE, TOO_MUCH_MEMORY } from './refusals.facts.ts'
import { copyFolder, isTriedOnceMore } from './rules.ts'
import { formatOf, stampFile } from './stamp.files.ts'
import type { StampedFileState } from './state.ts'

export type CopyDependencies = { db: Db; files: Files; clock: Clock }

type CopyJob = Job<{ id: number }, number>
type Made = { kind: 'made'; path: string; size: number; extension: string }
type NotMade = { kind: 'refused'; reason: string; isFinal: boolean }

/** Handles STAMP_FILE: makes and stores the copy, or records why that is not possible. */
export function createCopyMaker({ db, files, clock }: CopyDependencies): JobHandler {
  return createHandler(STAMP_FILE, makeCopy, giveUp)

  async function makeCopy({ companyId, data, attempts }: CopyJob): Promise<void> {
    const copy = await findStampedFile(db, companyId, data.id)
    if (copy === undefined || copy.state !== 'pending') return
    const folder = await mkdtemp(join(tmpdir(), 'licet-stamp-'))
    try {
      const made = await stampLocally(copy, folder)
      if (made.kind === 'made') return await store(copy, made)
      if (isTriedOnceMore(made, attempts)) throw new Error(made.reason)
      await fail(copy, made.reason)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }

  /** A file that ended every worker that tried it. */
  async function giveUp({ companyId, data }: CopyJob): Promise<void> {
    const copy = await findStampedFile(db, companyId, data.id)
    if (copy !== undefined) await fail(copy, TOO_MUCH_MEMORY)
  }

  function fail(copy: StampedFileState, reason: string): Promise<void> {
    return inTransaction(db, (tx) => markFailed(tx, copy, reason, clock.of(copy.company_id)))
  }

  async function stampLocally({ source_key, name, stamp }: StampedFileState, folder: string): Promise<Made | NotMade> {
    const [source, target] = [join(folder, 'source'), join(folder, 'target')]
    const stored = await files.stream(source_key)
    if (stored === undefined) return { kind: 'refused', reason: SOURCE_GONE, isFinal: true }
    await pipeline(stored.stream, createWriteStream(source))
    const format = await formatOf(source, name)
    if (format === undefined) return { kind: 'refused', reason: NOT_STAMPABLE, isFinal: true }
    const result = await stampFile({ format, source, target, stamp })
    return result.kind === 'refused' ? result : { kind: 'made', path: target, size: result.bytes, extension: format }
  }

  async function store(copy: StampedFileState, { path, size, extension }: Made): Promise<void> {
    const key = `${copyFolder(copy)}/copy.${extension}`
    await files.putFile(key, path)
    const stored = { key, size, sha256: await sha256Of(path) }
    const isKept = await inTransaction(db, (tx) => markReady(tx, copy, stored, clock.of(copy.company_id)))
    if (!isKept) await files.deleteAll(copyFolder(copy))
  }
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** Deletes the copies that nobody has fetched for long. While a backup is made, its files stay. */
export async function deleteUnusedCopies({ db, files, clock }: CopyDependencies): Promise<void> {
  while (!(await isBeingCopied(db))) {
    const deleted = await inTransaction(db, (tx) => deleteUnused(tx, clock.now()))
    for (const copy of deleted) await files.deleteAll(copyFolder(copy))
    if (deleted.length === 0) break
  }
  let place: typeof BEFORE_ALL_COPIES | undefined = BEFORE_ALL_COPIES
  while (place !== undefined && !(await isBeingCopied(db))) {
    const after: typeof BEFORE_ALL_COPIES = place
    const { deleted, last } = await inTransaction(db, (tx) => deleteForgotten(tx, after))
    for (const copy of deleted) await files.deleteAll(copyFolder(copy))
    place = last
  }
}
