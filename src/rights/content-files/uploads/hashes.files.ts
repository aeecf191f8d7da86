import { createHash, type Hash } from 'node:crypto'

/** Uploads whose hashes are kept while they wait for their next request. Any other file is read again when it is complete. */
const KEPT_MAX = 1000

/** The hashes of uploads of which this process has received every byte so far, in order. */
export type UploadHashes = {
  /** The hash of the bytes up to a position; undefined if some of them came another way. Nobody else gets it meanwhile. */
  take(uploadId: string, position: number): Hash | undefined
  /** Keeps a hash that now contains the bytes up to a position. */
  keep(uploadId: string, position: number, hash: Hash): void
  /** The SHA-256 of an upload of this size, in hexadecimal digits. */
  finish(uploadId: string, size: number | undefined): string | undefined
}

export function createUploadHashes(): UploadHashes {
  const kept = new Map<string, { position: number; hash: Hash }>()

  function take(uploadId: string, position: number): Hash | undefined {
    const found = kept.get(uploadId)
    kept.delete(uploadId)
    if (position === 0) return createHash('sha256')
    return found?.position === position ? found.hash : undefined
  }

  return {
    take,
    keep(uploadId, position, hash) {
      const [oldest] = kept.keys()
      if (kept.size >= KEPT_MAX && oldest !== undefined) kept.delete(oldest)
      kept.set(uploadId, { position, hash })
    },
    finish: (uploadId, size) => (size === undefined || size === 0 ? undefined : take(uploadId, size)?.digest('hex')),
  }
}
