import type { FileHandle } from 'node:fs/promises'
import { crc32, deflateRawSync } from 'node:zlib'

/** An entry whose bytes are in the file already, or are about to be written. */
export type WrittenEntry = {
  name: string
  /** 0 stored, 8 deflated. */
  method: number
  crc32: number
  compressedSize: number
  size: number
  time: number
  date: number
  attributes: number
}

type Bytes = Uint8Array | AsyncIterable<Uint8Array>

/** Names are in UTF-8. */
const FLAGS = 0x0800
const VERSION = 20
/** 1980-01-01, the first day that a zip file knows. */
const FIRST_DATE = 0x21
const DEFLATED = 8
const STORED = 0

/** The largest number of entries of a zip file without zip64. */
export const ZIP_ENTRIES_MAX = 0xfffe

const CHUNK_BYTES = 1_048_576

export type ZipWriter = {
  add(name: string, content: Uint8Array, options?: { stored?: boolean }): Promise<void>
  /** Adds bytes that are compressed already. */
  copy(entry: WrittenEntry, compressed: Bytes): Promise<void>
  finish(): Promise<void>
}

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
      await write(endOfDirectory(directory.length, start, offset - start))
      await flush()
    },
  }
}

/** The fields that the local and the central header share, from the version that is needed to the lengths. */
function commonFields(entry: WrittenEntry, nameBytes: number): Buffer {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(VERSION, 0)
  fields.writeUInt16LE(FLAGS, 2)
  fields.writeUInt16LE(entry.method, 4)
  fields.writeUInt16LE(entry.time, 6)
  fields.writeUInt16LE(entry.date, 8)
  fields.writeUInt32LE(entry.crc32, 10)
  fields.writeUInt32LE(entry.compressedSize, 14)
  fields.writeUInt32LE(entry.size, 18)
  fields.writeUInt16LE(nameBytes, 22)
  return fields
}

function localHeader(entry: WrittenEntry): Buffer {
  const name = Buffer.from(entry.name)
  return Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), commonFields(entry, name.length), name])
}

function centralHeader(entry: WrittenEntry, offset: number): Buffer {
  const name = Buffer.from(entry.name)
  const madeBy = Buffer.alloc(2)
  madeBy.writeUInt16LE(VERSION)
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(entry.attributes, 6)
  rest.writeUInt32LE(offset, 10)
  return Buffer.concat([Buffer.from('PK\x01\x02', 'latin1'), madeBy, commonFields(entry, name.length), rest, name])
}

function endOfDirectory(entries: number, start: number, bytes: number): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries, 8)
  end.writeUInt16LE(entries, 10)
  end.writeUInt32LE(bytes, 12)
  end.writeUInt32LE(start, 16)
  return end
}
