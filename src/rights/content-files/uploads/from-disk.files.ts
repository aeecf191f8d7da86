import { open, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Author } from '#platform/identity/caller.ts'
import { createFile } from '../commands.ts'
import { fileTooLarge } from '../errors.ts'
import { getFile, getProductKey } from '../queries.ts'
import type { FileInput } from '../schema.ts'
import type { ShownFile } from '../state.ts'
import { type FinishOptions, finishUpload } from './finish.commands.ts'
import { whileHeld } from './lease.commands.ts'
import { findInterrupted, findUpload } from './queries.ts'
import { prepareUpload } from './tus.files.ts'

const CHUNK_BYTES = 4 * 1_048_576

export type DiskUpload = FinishOptions & {
  bytesMax: number
  author: Author
  onProgress: (done: number, total: number) => void
}

/**
 * Stores a file from the disk of the service as if it had been uploaded. One that was interrupted goes on where it
 * stopped. The copy belongs to the service, so the file can be changed afterwards.
 */
export async function uploadFromDisk(
  options: DiskUpload,
  path: string,
  input: Omit<FileInput, 'name' | 'size'>,
): Promise<ShownFile> {
  const { size } = await stat(path)
  if (size > options.bytesMax) throw fileTooLarge(options.bytesMax)
  const uploadId = await beginOrResume(options, { ...input, name: basename(path), size })
  await whileHeld(options, uploadId, () => copyRest(options, path, uploadId, size))
  const upload = await findUpload(options.db, uploadId)
  if (upload === undefined) throw new Error('the upload ended while it was copied')
  await finishUpload(options, uploadId)
  return getFile(options.db, upload.file.company_id, String(upload.file.id))
}

async function beginOrResume(
  { db, change, author, folder, now }: DiskUpload,
  input: FileInput & { size: number },
): Promise<string> {
  const product_key = await getProductKey(db, author.companyId, input.product_id)
  const { name, size, role = 'main_sd', language = '' } = input
  const interrupted = await findInterrupted(db, author.companyId, { product_key, name, size, role, language })
  if (interrupted !== undefined) return interrupted
  const { state } = await change((tx) => createFile(tx, author, input, now(author.companyId)))
  if (state.upload_id === null) throw new Error('a new file has no upload')
  await prepareUpload(folder, state.upload_id)
  return state.upload_id
}

async function copyRest(
  { folder, onProgress }: DiskUpload,
  path: string,
  uploadId: string,
  size: number,
): Promise<void> {
  const source = await open(path)
  const target = await open(join(folder, uploadId), 'a')
  try {
    let { size: done } = await target.stat()
    const buffer = Buffer.allocUnsafeSlow(CHUNK_BYTES)
    onProgress(done, size)
    while (done < size) {
      const { bytesRead } = await source.read(buffer, 0, Math.min(CHUNK_BYTES, size - done), done)
      if (bytesRead === 0) throw new Error(`${path} became shorter while it was read`)
      await target.appendFile(buffer.subarray(0, bytesRead))
      done += bytesRead
      onProgress(done, size)
    }
  } finally {
    await Promise.all([source.close(), target.close()])
  }
}
