import { createCipheriv, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { FIRST_DATE, STORED } from '#platform/zip/records.ts'
import type { ZipWriter } from '#platform/zip/writer.ts'

const BLOCK_BYTES = 16

type Bytes = AsyncIterable<Uint8Array>

/** AES-256 in CBC mode with the initialization vector in front, as LCP wants every file. */
async function* encrypted(key: Buffer, iv: Buffer, content: Bytes): AsyncGenerator<Uint8Array> {
  const cipher = createCipheriv('aes-256-cbc', key, iv)
  yield iv
  for await (const piece of content) yield cipher.update(piece)
  yield cipher.final()
}

/** The vector, and one to sixteen bytes that fill the last block. */
function encryptedSize(size: number): number {
  return BLOCK_BYTES + BLOCK_BYTES * (Math.floor(size / BLOCK_BYTES) + 1)
}

/**
 * Adds a file to an archive, encrypted. It is encrypted twice, first for its checksum, which comes before it: memory does not grow
 * with the file, and AES is faster than any disk.
 */
export async function addEncrypted(
  writer: ZipWriter,
  name: string,
  { key, size, open }: { key: Buffer; size: number; open: () => Promise<Bytes> },
): Promise<void> {
  const iv = randomBytes(BLOCK_BYTES)
  let checksum = 0
  for await (const piece of encrypted(key, iv, await open())) checksum = crc32(piece, checksum)
  const bytes = encryptedSize(size)
  const entry = { name, method: STORED, crc32: checksum, compressedSize: bytes, size: bytes }
  await writer.copy({ ...entry, time: 0, date: FIRST_DATE, attributes: 0 }, encrypted(key, iv, await open()))
}
