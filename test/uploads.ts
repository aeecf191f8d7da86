import { createHash, randomBytes } from 'node:crypto'
import { request } from 'undici'
import type { Service, Shop } from './harness.ts'

/** A client of the tus protocol, as small as it can be. */

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Bytes that are an MP4 file to whoever looks at their beginning, and noise after it. */
export function someVideo(size = 100_000): Buffer {
  const head = Buffer.from('000000206674797069736f6d0000020069736f6d69736f32617663316d703431', 'hex')
  return Buffer.concat([head, randomBytes(size - head.length)])
}

function box(type: string, ...parts: Buffer[]): Buffer {
  const content = Buffer.concat(parts)
  return Buffer.concat([numbers(8 + content.length), Buffer.from(type, 'latin1'), content])
}

function numbers(...values: number[]): Buffer {
  const buffer = Buffer.alloc(4 * values.length)
  values.forEach((value, at) => void buffer.writeUInt32BE(value >>> 0, 4 * at))
  return buffer
}

const nothing = (bytes: number) => Buffer.alloc(bytes)

/** The beginning of a film of a minute in HD, up to where its pictures would be. The film has `size` bytes in all. */
export function headOfVideo(size: number): Buffer {
  const [scale, seconds, width, height] = [1000, 60, 1920, 1080]
  const length = [scale, seconds * scale]
  const entry = Buffer.concat([
    nothing(6),
    Buffer.from([0, 1]),
    nothing(16),
    numbers((width << 16) | height),
    nothing(50),
  ])
  const track = box(
    'trak',
    box('tkhd', numbers(3, 0, 0, 1, 0, seconds * scale), nothing(52), numbers(width << 16, height << 16)),
    box(
      'mdia',
      box('mdhd', numbers(0, 0, 0, ...length, 0)),
      box('hdlr', numbers(0, 0), Buffer.from('vide'), nothing(13)),
      box('minf', box('stbl', box('stsd', numbers(0, 1), box('avc1', entry)), box('stts', numbers(0, 0)))),
    ),
  )
  const head = Buffer.concat([
    Buffer.from('000000206674797069736f6d0000020069736f6d69736f32617663316d703431', 'hex'),
    box('moov', box('mvhd', numbers(0, 0, 0, ...length), nothing(80)), track),
  ])
  return Buffer.concat([head, numbers(size - head.length), Buffer.from('mdat')])
}

/** A film of which everything is in order but for its pictures, which are noise. */
export function aVideo(size = 100_000): Buffer {
  const head = headOfVideo(size)
  return Buffer.concat([head, randomBytes(size - head.length)])
}

export type TusAnswer = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

export async function tus(
  service: Pick<Service, 'url'>,
  shop: Pick<Shop, 'token'> | undefined,
  method: 'POST' | 'HEAD' | 'PATCH' | 'DELETE' | 'OPTIONS',
  path: string,
  headers: Record<string, string> = {},
  body?: Buffer,
): Promise<TusAnswer> {
  const url = path.startsWith('http') ? path : `${service.url}${path}`
  const response = await request(url, {
    method,
    headers: {
      'tus-resumable': '1.0.0',
      ...(shop === undefined ? {} : { authorization: `Bearer ${shop.token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/offset+octet-stream' }),
      ...headers,
    },
    body: body ?? null,
  })
  return { status: response.statusCode, headers: response.headers, text: await response.body.text() }
}

export function metadata(values: Record<string, string>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name} ${Buffer.from(value).toString('base64')}`)
    .join(',')
}

export async function aProduct(shop: Shop, fields: object = {}): Promise<{ id: number; product_id: string }> {
  const { body } = await shop.post('/api/products.json', { product: { product_type: 1, title: 'Film', ...fields } })
  return body.product
}

/** Creates a file of a product and uploads its bytes. */
export async function upload(
  service: Pick<Service, 'url'>,
  shop: Shop,
  product: { product_id: string },
  bytes: Buffer,
  fields: { name?: string; role?: string; language?: string } = {},
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire carries.
): Promise<any> {
  const { product_id } = product
  const file = { product_id, name: 'film.mp4', size: bytes.length, ...fields }
  const created = await shop.post('/api/files.json', { file })
  if (created.status !== 201) throw new Error(created.text)
  const sent = await tus(service, shop, 'PATCH', created.body.file.upload_url, { 'upload-offset': '0' }, bytes)
  if (sent.status !== 204) throw new Error(`${sent.status} ${sent.text}`)
  return (await shop.get(`/api/files/${created.body.file.id}.json`)).body.file
}
