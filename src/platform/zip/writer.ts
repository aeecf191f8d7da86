import type { FileHandle } from 'node:fs/promises'
import { crc32, deflateRawSync } from 'node:zlib'
import {
  centralHeader,
  DEFLATED,
  endOfDirectory,
  FIRST_DATE,
  localHeader,
  STORED,
  type WrittenEntry,
} from './records.ts'

type Bytes = Uint8Array | AsyncIterable<Uint8Array>

const CHUNK_BYTES = 1_048_576

export type ZipWriter = {
  add(name: string, content: Uint8Array, options?: { stored?: boolean }): Promise<void>
  /** Adds bytes that are compressed already. */
  copy(entry: WrittenEntry, compressed: Bytes): Promise<void>
  /** Returns where the directory at the end is. */
  finish(): Promise<ZipDirectory>
}

/** The list of the entries, which is the last thing in a zip file. */
export type ZipDirectory = { start: number; bytes: number; entries: number }

/**
 * Writes a zip file from its beginning to its end. It is our own because of `copy`: yazl unpacks and compresses every file again,
 * which takes ten times as long for a usual book, and as long as its author likes for one that is made to grow.
 */
export function createZipWriter(file: FileHandle): ZipWriter {
  const directory: Buffer[] = []
  let offset = 0
  let pending: Buffer[] = []
  let pendingBytes = 0

  async function flush(): Promise<void> {
    if (pendingBytes === 0) return
    const bytes = Buffer.concat(pending)
    pending = []
    pendingBytes = 0
    for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
  }

  async function write(bytes: Uint8Array): Promise<void> {
    pending.push(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length))
    pendingBytes += bytes.length
    offset += bytes.length
    if (pendingBytes >= CHUNK_BYTES) await flush()
  }

  async function copy(entry: WrittenEntry, compressed: Bytes): Promise<void> {
    directory.push(centralHeader(entry, offset))
    await write(localHeader(entry))
    const start = offset
    if (compressed instanceof Uint8Array) await write(compressed)
    else for await (const chunk of compressed) await write(chunk)
    if (offset - start !== entry.compressedSize) throw new Error('an entry has another size than its header says')
  }

  return {
    copy,
    add(name, content, { stored = false } = {}) {
      const compressed = stored ? content : deflateRawSync(content)
      const entry = {
        name,
        method: stored ? STORED : DEFLATED,
        crc32: crc32(content),
        compressedSize: compressed.length,
        size: content.length,
        time: 0,
        date: FIRST_DATE,
        attributes: 0,
      }
      return copy(entry, compressed)
    },
    async finish() {
      const start = offset
      for (const header of directory) await write(header)
      const bytes = offset - start
      await write(endOfDirectory(directory.length, start, bytes))
      await flush()
      return { start, bytes, entries: directory.length }
    },
  }
}
