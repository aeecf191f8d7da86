import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { sendRequest } from '../request.gateway.ts'
import { MollieProblem } from './answers.schema.ts'

const TIMEOUT_MS = 20_000
const DETAIL_MAX = 200

/** What Mollie has answered. `refused`: it has understood the request and would refuse it again. */
export type Answered =
  | { kind: 'done'; body: unknown }
  | { kind: 'refused'; reason: string }
  /** Mollie does not take the key. */
  | { kind: 'denied'; reason: string }
  /** Mollie knows no such thing, or not for this key. */
  | { kind: 'absent' }

export type MollieApi = {
  get(path: string): Promise<Answered>
  /** Carried out once for a key, within an hour. */
  post(path: string, body: object, key: string): Promise<Answered>
  delete(path: string): Promise<Answered>
}

/** The API of Mollie, version 2. It throws if another try may be answered differently. */
export function openApi({ key, url, outbound }: { key: string; url: string; outbound: Outbound }): MollieApi {
  async function ask(method: 'GET' | 'POST' | 'DELETE', path: string, body?: object, once?: string) {
    const { statusCode, text } = await sendRequest(outbound, new URL(`/v2${path}`, url).href, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        accept: 'application/hal+json',
        'user-agent': 'Licet',
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(once === undefined ? {} : { 'idempotency-key': once }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      timeoutMs: TIMEOUT_MS,
    })
    return answerOf(statusCode, text)
  }
  return {
    get: (path) => ask('GET', path),
    post: (path, body, once) => ask('POST', path, body, once),
    delete: (path) => ask('DELETE', path),
  }
}

/** A conflict is one with a request that is still carried out, or with a refund of the same amount within the hour. */
function answerOf(statusCode: number, text: string): Answered {
  if (statusCode === 404 || statusCode === 410) return { kind: 'absent' }
  if (statusCode === 401 || statusCode === 403) return { kind: 'denied', reason: reasonIn(JSON.parse(text)) }
  if (statusCode === 422) return { kind: 'refused', reason: reasonIn(JSON.parse(text)) }
  if (statusCode < 200 || statusCode > 299) throw new Error(`Mollie has answered ${statusCode}`)
  return { kind: 'done', body: JSON.parse(text) }
}

function reasonIn(body: unknown): string {
  return Check(MollieProblem, body) ? body.detail.slice(0, DETAIL_MAX) : 'refused'
}

/** The answer as its schema says; throws if it is another one. */
export function expectDone<Schema extends TSchema>(schema: Schema, answered: Answered) {
  if (answered.kind !== 'done')
    throw new Error(answered.kind === 'absent' ? 'Mollie does not know it' : answered.reason)
  const { body } = answered
  if (!Check(schema, body)) throw new Error('Mollie has answered something else')
  return body
}
