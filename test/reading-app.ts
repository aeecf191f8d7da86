import { createDecipheriv, hash } from 'node:crypto'
import { createRequire } from 'node:module'
import { buffer } from 'node:stream/consumers'
import { inflateRawSync } from 'node:zlib'
import { SaxesParser } from 'saxes'
import { request } from 'undici'
import { fromBufferPromise } from 'yauzl'

/** Reading apps, by a library of theirs that is not ours: r2-lcp-js, of which Thorium Reader is made. */

// The library is made for CommonJS, and its types need settings that are not ours.
const load = createRequire(import.meta.url)
const PLACE = 'r2-lcp-js/dist/es8-es2017/src'

// biome-ignore lint/suspicious/noExplicitAny: the documents of others have whatever they have.
type Document = any

const { LCP } = load(`${PLACE}/parser/epub/lcp`)
const { LSD } = load(`${PLACE}/parser/epub/lsd`)
const { TaJsonDeserialize } = load(`${PLACE}/serializable`)
const { lsdRegister_ } = load(`${PLACE}/lsd/register`)
const { lsdRenew_ } = load(`${PLACE}/lsd/renew`)
const { lsdReturn_ } = load(`${PLACE}/lsd/return`)
const { transformStream } = load(`${PLACE}/transform/transformer-lcp`)

/** A reading app on a device. */
export function aReadingApp(id: string, name = 'Reader') {
  const device = {
    getDeviceID: async () => id,
    getDeviceNAME: async () => name,
    checkDeviceID: async () => undefined,
    recordDeviceID: async () => undefined,
  }
  const status = (document: Document) => TaJsonDeserialize(document, LSD)
  return {
    register: (document: Document): Promise<Document> => lsdRegister_(status(document), device),
    renew: (document: Document, end?: Date): Promise<Document> => lsdRenew_(end, status(document), device),
    return: (document: Document): Promise<Document> => lsdReturn_(status(document), device),
  }
}

export async function fetchBytes(url: string, headers: Record<string, string> = {}) {
  const { statusCode, headers: answered, body } = await request(url, { headers })
  return { status: statusCode, headers: answered, bytes: Buffer.from(await body.arrayBuffer()) }
}

export async function fetchJson(
  url: string,
  method: 'GET' | 'POST' | 'PUT' = 'GET',
): Promise<{ status: number; type: string; body: Document }> {
  const { statusCode, headers, body } = await request(url, { method })
  return { status: statusCode, type: String(headers['content-type']), body: await body.json() }
}

/** The files in an archive. */
export async function unzip(bytes: Buffer): Promise<Map<string, Buffer>> {
  const zip = await fromBufferPromise(bytes, { strictFileNames: true })
  const files = new Map<string, Buffer>()
  for await (const entry of zip.eachEntry())
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)))
  return files
}

/** Opens a license with a passphrase, as a reading app does; it rejects if the passphrase is wrong. */
export async function openLicense(document: Document, passphrase: string, key = hash('sha256', passphrase, 'hex')) {
  const lcp = TaJsonDeserialize(document, LCP)
  lcp.JsonSource = JSON.stringify(document)
  await lcp.tryUserKeys([key])
  return lcp
}

export type EncryptedFile = { method: number; originalLength: number }

/** What an EPUB says is encrypted. */
export function encryptedFiles(files: ReadonlyMap<string, Buffer>): Map<string, EncryptedFile> {
  const found = new Map<string, EncryptedFile>()
  let uri = ''
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ local, attributes }) => {
    if (local === 'CipherReference') uri = decodeURIComponent(attributes.URI?.value ?? '')
    if (local === 'Compression')
      found.set(uri, {
        method: Number(attributes.Method?.value),
        originalLength: Number(attributes.OriginalLength?.value),
      })
  })
  parser.write(String(files.get('META-INF/encryption.xml'))).close()
  return found
}

/** Decrypts a file with an opened license, by the library. */
export async function decrypt(
  lcp: Document,
  bytes: Buffer,
  { method, originalLength }: EncryptedFile,
): Promise<Buffer> {
  const { Readable } = await import('node:stream')
  const streamOf = () => ({
    stream: Readable.from([bytes], { objectMode: false }),
    length: bytes.length,
    reset: async () => streamOf(),
  })
  const encrypted = {
    Algorithm: 'http://www.w3.org/2001/04/xmlenc#aes256-cbc',
    Scheme: 'http://readium.org/2014/01/lcp',
    Profile: 'http://readium.org/lcp/basic-profile',
    Compression: method === 8 ? 'deflate' : 'none',
    OriginalLength: originalLength,
  }
  const { stream } = await transformStream(lcp, { Href: '' }, encrypted, streamOf(), false, 0, 0)
  return buffer(stream)
}

/** The same by the standard alone, without a library. */
export function decryptPlainly(key: Buffer, bytes: Buffer, { method }: EncryptedFile): Buffer {
  const decipher = createDecipheriv('aes-256-cbc', key, bytes.subarray(0, 16))
  const plain = Buffer.concat([decipher.update(bytes.subarray(16)), decipher.final()])
  return method === 8 ? inflateRawSync(plain) : plain
}
