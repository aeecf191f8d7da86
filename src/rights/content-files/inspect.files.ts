import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { extname } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { findTypeFault, typeOfText } from './types.files.ts'

/** Enough for every format that tells what it is at its beginning. */
const HEAD_BYTES = 1_048_576

export type Inspected = { kind: 'accepted'; content_type: string } | { kind: 'refused'; reason: string }

/** Finds out what a file is from its first bytes, never from its name, and whether the name says the same. */
export async function inspectFile(path: string, name: string): Promise<Inspected> {
  const head = await readHead(path)
  if (head.length === 0) return { kind: 'refused', reason: 'The file is empty.' }
  const content_type = await typeOf(head)
  const reason = findTypeFault(extname(name).slice(1).toLowerCase(), content_type)
  return reason === undefined ? { kind: 'accepted', content_type } : { kind: 'refused', reason }
}

async function readHead(path: string): Promise<Buffer> {
  const handle = await open(path)
  try {
    const buffer = Buffer.allocUnsafeSlow(HEAD_BYTES)
    const { bytesRead } = await handle.read(buffer, 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Texts are looked at first: a page that pretends to be something else must not be taken for that. */
async function typeOf(head: Buffer): Promise<string> {
  const text = typeOfText(head)
  if (text !== undefined && text !== 'text/plain') return text
  // The tag before the music may be larger than what was read.
  if (head.subarray(0, 3).toString('latin1') === 'ID3') return 'audio/mpeg'
  const { fileTypeFromBuffer } = await import('file-type')
  const found = await fileTypeFromBuffer(head).catch(() => undefined)
  return found?.mime ?? text ?? 'application/octet-stream'
}

/** The SHA-256 of a file in hexadecimal digits. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path, { highWaterMark: 1_048_576 }), hash)
  return hash.digest('hex')
}
