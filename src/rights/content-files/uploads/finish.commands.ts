import { rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { CompanyTime, MachineClock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import type { Files } from '#platform/files/files.ts'
import { checkFile } from '../checks/check.files.ts'
import { hashFile, inspectFile } from '../inspect.files.ts'
import { abandonUpload, markReady, markRefused } from './commands.ts'
import { type Change, whileHeld } from './lease.commands.ts'
import { findUpload, listAbandoned, listUnfinished, type UploadState } from './queries.ts'

export type FinishOptions = {
  db: Db
  change: Change
  files: Files
  folder: string
  now: CompanyTime
  clock: MachineClock
}

/** The name of an upload is used once, so its bytes can be stored under it: a second attempt meets its own first one. */
function keyOf({ id, file }: UploadState): string {
  return `content/${file.company_id}/${id}`
}

/**
 * Finishes an upload that has all its bytes: finds out what it is, hashes and stores it. Nothing happens if bytes are
 * missing or it is finished already. It can be interrupted at any point and done again. `sha256` is known where all bytes came
 * through this process.
 */
export async function finishUpload(options: FinishOptions, uploadId: string, sha256?: string): Promise<void> {
  if (!(await isComplete(options, uploadId))) return
  await whileHeld(options, uploadId, async () => {
    const upload = await findUpload(options.db, uploadId)
    if (upload !== undefined) await storeUpload(options, upload, sha256)
  })
  await rm(join(options.folder, uploadId), { force: true })
}

async function isComplete({ db, folder }: FinishOptions, uploadId: string): Promise<boolean> {
  const upload = await findUpload(db, uploadId)
  if (upload === undefined || upload.size === null) return false
  return (await sizeOf(join(folder, uploadId))) === upload.size
}

async function sizeOf(path: string): Promise<number | undefined> {
  const found = await stat(path).catch(() => undefined)
  return found?.size
}

async function storeUpload(
  { change, files, folder, now }: FinishOptions,
  upload: UploadState,
  knownHash: string | undefined,
): Promise<void> {
  const { file } = upload
  const path = join(folder, upload.id)
  const inspected = await inspectFile(path, file.name)
  if (inspected.kind === 'refused') return change((tx) => markRefused(tx, file, inspected.reason, now(file.company_id)))
  const { size } = await stat(path)
  const key = keyOf(upload)
  const { content_type } = inspected
  const [sha256, checked] = await Promise.all([
    knownHash ?? hashFile(path),
    checkFile(path, content_type),
    files.putFile(key, path),
  ])
  const stored = { ...checked, content_type, size, sha256, key }
  const used = await change((tx) => markReady(tx, file, stored, now(file.company_id)))
  // The company has the same bytes already, or the file was deleted meanwhile.
  if (used !== key) await files.delete(key)
}

const ABANDONED_MS = 24 * 3_600_000
const BATCH = 100

/** Deletes uploads that received nothing for a day, with their files. Returns how many there were. */
export async function deleteAbandoned({ db, change, files, folder, clock }: FinishOptions): Promise<number> {
  const before = new Date(clock.now().getTime() - ABANDONED_MS)
  const ids = await listAbandoned(db, before, BATCH)
  for (const id of ids) {
    const upload = await findUpload(db, id)
    if (upload !== undefined) await files.delete(keyOf(upload))
    await change((tx) => abandonUpload(tx, id))
    await rm(join(folder, id), { force: true })
  }
  return ids.length
}

/** Finishes uploads whose last bytes arrived, and whose process ended before it could finish them. */
export async function finishLeftOver(options: FinishOptions): Promise<void> {
  for (const { id, size } of await listUnfinished(options.db, BATCH))
    if ((await sizeOf(join(options.folder, id))) === size) await finishUpload(options, id)
}
