import { hash } from 'node:crypto'
import { Writable } from 'node:stream'
import { crc32 } from 'node:zlib'
import type { Files, OpenedFile, Range } from '#platform/files/files.ts'
import { centralHeader, endOfDirectory, FIRST_DATE, localHeader, STORED } from '#platform/zip/records.ts'
import { FORMATS } from '#rights/publications/rules.ts'
import type { ReadyPublication } from '#rights/publications/state.ts'

/** A publication with a license inside: its bytes up to the list of entries as they are stored, and a new end. */
export type Injected = { size: number; sha256: string; files: Files }

/**
 * Adds a license to a publication on its way out: the license goes where the list of entries was, and the list follows. Nothing else
 * is read or changed, and the size is known before the first byte.
 */
export async function injectLicense(files: Files, publication: ReadyPublication, license: Buffer): Promise<Injected> {
  const { key, kind, directory, sha256 } = publication
  const list = await readPart(files, key, { start: directory.start, end: directory.start + directory.bytes - 1 })
  const entry = {
    name: FORMATS[kind].licensePath,
    method: STORED,
    crc32: crc32(license),
    compressedSize: license.length,
    size: license.length,
    time: 0,
    date: FIRST_DATE,
    attributes: 0,
  }
  const header = localHeader(entry)
  const added = centralHeader(entry, directory.start)
  const start = directory.start + header.length + license.length
  const end = endOfDirectory(directory.entries + 1, start, list.length + added.length)
  const tail = Buffer.concat([header, license, list, added, end])
  return {
    size: directory.start + tail.length,
    // The same publication with the same license is the same file.
    sha256: hash('sha256', Buffer.concat([Buffer.from(sha256, 'hex'), license])),
    files: { ...files, open: (_key, range) => open(files, { key, start: directory.start, tail }, range) },
  }
}

type Parts = { key: string; start: number; tail: Buffer }

/** Opens a part of what is stored and added, both or one of them. */
async function open(
  files: Files,
  { key, start: at, tail }: Parts,
  { start, end }: Range,
): Promise<OpenedFile | undefined> {
  const stored = start < at ? await files.open(key, { start, end: Math.min(end, at - 1) }) : undefined
  if (start < at && stored === undefined) return undefined
  return {
    async sendTo(target) {
      await stored?.sendTo(target)
      if (end >= at) await write(target, tail.subarray(Math.max(0, start - at), end - at + 1))
    },
    close: async () => stored?.close(),
  }
}

function write(target: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    target.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}

async function readPart(files: Files, key: string, range: Range): Promise<Buffer> {
  const opened = await files.open(key, range)
  if (opened === undefined) throw new Error(`the bytes of ${key} are missing`)
  const pieces: Buffer[] = []
  // The memory of each piece is used again, so the piece is copied.
  const target = new Writable({
    write(piece: Buffer, _encoding, done) {
      pieces.push(Buffer.from(piece))
      done()
    },
  })
  try {
    await opened.sendTo(target)
  } finally {
    await opened.close()
  }
  return Buffer.concat(pieces)
}
