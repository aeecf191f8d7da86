import type { Random } from '#program/demo/random.ts'
import { jsonFor, type Source } from './bodies.ts'
import type { Body, Operation, Parameter } from './document.ts'
import type { FuzzRequest } from './group.ts'
import { hostileText } from './hostile.ts'
import { resourceBefore } from './known.ts'

/** How wild requests are: most have one strange value or none. */
const WILDNESS = [0, 0, 0.01, 0.04, 0.2]
export const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'PROPFIND']
const TYPES = [
  'application/json; charset=utf-8',
  'application/json; charset=latin1',
  'APPLICATION/JSON',
  'application/json;',
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=a',
  'application/xml',
  '',
  ';;',
]

/** A request that mostly is what the document says of an operation. */
export function requestFor(maker: Source, operation: Operation): FuzzRequest {
  const { random } = maker
  maker.wildness = random.pick(WILDNESS)
  const body = operation.body === undefined ? strayBody(maker) : bodyFor(maker, operation.body)
  const method = random.often(0.03) ? random.pick(METHODS) : operation.method
  const headers = { ...strangeHeaders(random), ...body.headers }
  const path = `${pathFor(maker, operation)}${queryFor(maker, operation)}`
  return body.bytes === undefined ? { method, path, headers } : { method, path, headers, body: body.bytes }
}

/** Percent signs for everything that an address cannot hold; sometimes for nothing that it can. */
function encode(random: Random, text: string): string {
  const plain = text.toWellFormed()
  return random.often(0.03) ? plain.replace(/[^\x21-\x7e]|[#?/]/g, '%zz') : encodeURIComponent(plain)
}

function pathFor({ random, known }: Source, { path }: Operation): string {
  return path.replace(/\{\w+\}/g, (_name, at: number) => {
    const text = random.often(0.85)
      ? known.pick(random, resourceBefore(path, at))
      : hostileText(random, random.often(0.1) ? 3000 : 300)
    return encode(random, text) || 'x'
  })
}

function queryFor(maker: Source, { parameters }: Operation): string {
  const { random } = maker
  const inQuery = parameters.filter((parameter) => parameter.in === 'query')
  const pairs = inQuery.flatMap((parameter) => {
    // A whole list takes as long as what the requests before have put into it.
    const isWanted = random.often(parameter.name === 'limit' ? 0.9 : 0.2)
    if (!isWanted) return []
    const value = encode(random, queryText(maker, parameter)).slice(0, 3000)
    return Array(random.often(0.03) ? 2 : 1).fill(`${parameter.name}=${value}`)
  })
  if (random.often(0.03))
    pairs.push(random.pick(['a[]=1', '&&', '=', '%zz=1', 'limit', '__proto__=1', `x=${'y'.repeat(9000)}`]))
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function queryText(maker: Source, { name, schema }: Parameter): string {
  const { random } = maker
  if (random.often(maker.wildness)) return hostileText(random)
  if (name === 'limit') return String(1 + random.below(60))
  const json = jsonFor(maker, schema, name)
  const value: unknown = json.length > 5000 || /^[[{\d-]/.test(json) ? json.slice(0, 3000) : JSON.parse(json)
  return String(value)
}

/** Headers that a client may send with any request. */
export function strangeHeaders(random: Random): Record<string, string> {
  const headers: Record<string, string> = {}
  if (random.often(0.1))
    headers['idempotency-key'] = random.pick(['a', 'b', String(random.below(1000)), 'k'.repeat(300), ''])
  if (random.often(0.05)) headers['if-none-match'] = random.pick(['*', 'W/"a"', '"', ','.repeat(2000)])
  if (random.often(0.05))
    headers['accept-encoding'] = random.pick(['gzip', 'br', 'identity;q=0', '*;q=0', ','.repeat(500)])
  if (random.often(0.03)) headers['x-request-id'] = random.pick(['mine', ' ', 'x'.repeat(3000), '<b>', 'é'])
  if (random.often(0.03)) headers.accept = random.pick(['text/html', '*/*;q=0', 'x'.repeat(2000)])
  if (random.often(0.02)) headers['x-forwarded-for'] = random.pick(['1.2.3.4', 'x', '::1,'.repeat(500)])
  return headers
}

type Sent = { headers: Record<string, string>; bytes?: Buffer }

function strayBody({ random }: Source): Sent {
  if (!random.often(0.03)) return { headers: {} }
  return { headers: { 'content-type': 'application/json' }, bytes: Buffer.from(random.pick(['{}', '[', '{"a":1}'])) }
}

function bodyFor(maker: Source, { type, schema }: Body): Sent {
  const { random } = maker
  const json = jsonFor(maker, schema)
  const isForm = type.includes('form')
  const text = isForm && json.length < 5000 && json.startsWith('{') ? formOf(json) : json
  const headers: Record<string, string> = { 'content-type': random.often(0.02) ? random.pick(TYPES) : type }
  if (random.often(0.01)) headers['content-encoding'] = random.pick(['gzip', 'br', 'x'])
  return { headers, bytes: damaged(random, Buffer.from(text)) }
}

function formOf(json: string): string {
  const pairs = Object.entries<unknown>(JSON.parse(json)).map(([name, value]) => [name, String(value).toWellFormed()])
  return new URLSearchParams(pairs).toString()
}

/** Some bodies break on their way. */
function damaged(random: Random, bytes: Buffer): Buffer {
  if (!random.often(0.04)) return bytes
  const at = random.below(bytes.length + 1)
  return random.pick([
    () => bytes.subarray(0, at),
    () => Buffer.concat([bytes.subarray(0, at), Buffer.from([random.below(256)]), bytes.subarray(at)]),
    () => Buffer.concat([Buffer.from('\ufeff'), bytes]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.from(random.pick(['', 'null', '0', '"a"', '[]', '{}', '{', 'NaN', '\0'])),
    () => Buffer.from(bytes.toString(), 'latin1'),
  ])()
}

/** A request that changes nothing about the owner of the company: one who is disabled ends every token and session. */
export function requestSparing(ownerPaths: readonly string[], make: () => FuzzRequest): FuzzRequest {
  const isOwner = ({ method, path }: FuzzRequest) => {
    const named = path.toLowerCase().replace(/^\/admin\/api\//, '/api/')
    return method === 'PUT' && ownerPaths.some((own) => named.startsWith(own.toLowerCase()))
  }
  let request = make()
  while (isOwner(request)) request = make()
  return request
}
