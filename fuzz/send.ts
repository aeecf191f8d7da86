import { Pool } from 'undici'
import { type Contract, contractOf } from '#test/contract.ts'
import type { FuzzRequest } from './requests.ts'

export type Answer = { status: number; text: string; violation: string | undefined }
export type Send = (request: FuzzRequest) => Promise<Answer>

/** Node itself refuses such a request, before there is a route. */
const BEFORE_ROUTES = new Set([408, 431])

/** More than any refusal needs; an answer that succeeds has the size of its resource. */
const REFUSAL_CHARACTERS_MAX = 40_000

/** Sends requests and holds their answers to the OpenAPI document. */
export function createSender(url: string, document: unknown): { send: Send; close(): Promise<void> } {
  const pool = new Pool(url, { connections: 8, headersTimeout: 60_000, bodyTimeout: 60_000 })
  const hold = contractOf(() => document)
  return {
    close: () => pool.close(),
    async send({ method, path, headers, body }) {
      try {
        const response = await pool.request({ method: method as 'GET', path, headers, body: body ?? null })
        const text = await response.body.text()
        const { statusCode: status } = response
        const received = new Headers(
          Object.entries(response.headers).flatMap(([name, value]) => [value ?? []].flat().map((one) => [name, one])),
        )
        const isEncoded = received.has('content-encoding')
        const violation = violationOf(hold, { method, path, status, headers: received, text, isEncoded })
        return { status, text, violation }
      } catch (error) {
        return { status: 0, text: '', violation: `no answer: ${error instanceof Error ? error.message : error}` }
      }
    },
  }
}

type Exchange = Parameters<Contract>[0] & { isEncoded: boolean }

function violationOf(hold: Contract, { isEncoded, ...exchange }: Exchange): string | undefined {
  const { status, text } = exchange
  if (status >= 500) return `it answered ${status}: ${text.slice(0, 500)}`
  if (status >= 400 && text.length > REFUSAL_CHARACTERS_MAX) return `the refusal has ${text.length} characters`
  if (isEncoded || BEFORE_ROUTES.has(status)) return undefined
  try {
    hold(exchange)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
