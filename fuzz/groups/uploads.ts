import type { Random } from '#program/demo/random.ts'
import { metadata } from '#test/uploads.ts'
import type { Answer, CreateGroup, FuzzRequest } from '../group.ts'
import { hostileText } from '../hostile.ts'

/** An upload that has begun: where it is, how long it gets, and how much has come. */
type Upload = { path: string; size: number; offset: number }

const KEPT = 12
const SIZE_MAX = 20_000
const NUMBERS = ['-1', '0', '1e3', '0x10', '1.5', 'NaN', '', '9007199254740993', '99999999999999999999', ' 5', '5,5']
const HEADERS = [
  'upload-offset',
  'upload-length',
  'upload-defer-length',
  'tus-resumable',
  'content-type',
  'upload-concat',
  'upload-checksum',
  'upload-metadata',
  'x-http-method-override',
  'upload-expires',
]

/** A text that a header can hold. */
const headerText = (random: Random) =>
  hostileText(random, 1000)
    .replaceAll(/[^\x20-\x7e]/g, '?')
    .trim()

function spoil(random: Random, { headers }: FuzzRequest): void {
  const name = random.pick(HEADERS)
  if (random.often(0.3)) delete headers[name]
  else headers[name] = random.often(0.5) ? random.pick(NUMBERS) : headerText(random)
}

function metadataFor(random: Random, productIds: string[]): string {
  const values = { product_id: random.pick(productIds), filename: 'film.mp4' }
  if (random.often(0.7)) return metadata(values)
  const name = random.pick(['product_id', 'filename', 'name', 'role', 'language', '__proto__'])
  if (random.often(0.7)) return metadata({ ...values, [name]: hostileText(random, 300).toWellFormed() })
  return random.pick(['filename', 'filename !!!', ',,,', 'a b c', 'product_id ', headerText(random)])
}

/** Files that are sent by the tus protocol, in parts, by an app or by a user. */
export const uploads: CreateGroup = ({ scene, random }) => {
  const { shop } = scene
  const begun: Upload[] = []
  // A batch is sent at once, so uploads take turns.
  let turn = 0

  function begin(headers: Record<string, string>, root: string) {
    const size = 1 + random.below(SIZE_MAX)
    headers['upload-metadata'] = metadataFor(random, shop.productIds)
    if (random.often(0.85)) headers['upload-length'] = String(size)
    else headers['upload-defer-length'] = '1'
    const request: FuzzRequest = { method: 'POST', path: root, headers }
    return {
      request,
      take({ status, headers: received }: Answer) {
        const path = received.get('location')
        if (status !== 201 || path === null) return
        if (begun.length >= KEPT) begun.shift()
        begun.push({ path, size, offset: 0 })
      },
    }
  }

  function proceed(upload: Upload, headers: Record<string, string>, path: string) {
    const { size, offset } = upload
    const method = random.pick(['PATCH', 'PATCH', 'PATCH', 'PATCH', 'HEAD', 'DELETE', 'GET', 'POST'])
    const request: FuzzRequest = { method, path, headers }
    if (method === 'PATCH') {
      headers['upload-offset'] = String(random.often(0.9) ? offset : random.below(size * 2))
      headers['content-type'] = 'application/offset+octet-stream'
      const count = random.pick([size - offset, random.below(size + 1), 0, size + 1])
      request.body = Buffer.alloc(Math.max(0, count), random.below(256))
    }
    return {
      request,
      take({ headers: received }: Answer) {
        const told = Number(received.get('upload-offset') ?? offset)
        upload.offset = Number.isSafeInteger(told) ? told : offset
        const isOver = method === 'DELETE' || upload.offset >= size
        if (isOver && begun.includes(upload)) begun.splice(begun.indexOf(upload), 1)
      },
    }
  }

  return {
    name: 'uploads',
    share: 4,
    next() {
      const isUser = random.often(0.3)
      const headers: Record<string, string> = { 'tus-resumable': '1.0.0' }
      if (isUser) Object.assign(headers, { cookie: shop.cookie, origin: scene.url })
      else headers.authorization = `Bearer ${random.often(0.95) ? shop.token : (scene.tokens[0] ?? '')}`
      const root = isUser ? '/admin/api/files/uploads' : '/api/files/uploads'
      turn += 1
      const upload = begun[turn % Math.max(1, begun.length)]
      const step =
        upload === undefined || random.often(0.15)
          ? begin(headers, root)
          : proceed(upload, headers, upload.path.replace(/^.*\/files\/uploads/, root))
      if (random.often(0.35)) spoil(random, step.request)
      if (random.often(0.03)) step.request.path += random.pick(['x', '%00', '/..', '%2f..%2f..', '?x=1'])
      return step
    },
    proofs: {
      'an upload was begun': ({ method }, { status }) => method === 'POST' && status === 201,
      'bytes were stored': ({ method, body }, { status }) =>
        method === 'PATCH' && body !== undefined && body.length > 0 && status === 204,
      'a part was refused': ({ method }, { status }) => method === 'PATCH' && status >= 400 && status < 500,
      'an upload was looked at': ({ method }, { status }) => method === 'HEAD' && (status === 200 || status === 204),
    },
  }
}
