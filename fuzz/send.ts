import { Pool } from 'undici'
import { type Contract, contractOf } from '#test/contract.ts'
import type { Answer, FuzzRequest } from './group.ts'

export type Send = (request: FuzzRequest) => Promise<Answer>

/** Node itself refuses such a request, before there is a route. */
const BEFORE_ROUTES = new Set([408, 431])

/** The tus protocol describes these, and not the OpenAPI document. */
const OF_TUS = /^\/(?:admin\/)?api2?\/files\/uploads\b/

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
        const violation =
          violationOf(hold, { method, path, status, headers: received, text, isEncoded }) ??
          violationOnPage(url, received, text)
        return { status, headers: received, text, violation }
      } catch (error) {
        if (isCutOff(error, body)) return { status: 413, headers: new Headers(), text: '', violation: undefined }
        return {
          status: 0,
          headers: new Headers(),
          text: '',
          violation: `no answer: ${error instanceof Error ? error.message : error}`,
        }
      }
    },
  }
}

/** The largest body that any route takes. */
const BODY_BYTES_MAX = 20 * 1_048_576

/** A service may stop reading a body that is too large. Whoever goes on writing then may miss the answer. */
function isCutOff(error: unknown, body: FuzzRequest['body']): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  const bytes = body?.byteLength ?? 0
  return bytes > BODY_BYTES_MAX && (code === 'EPIPE' || code === 'ECONNRESET' || code === 'UND_ERR_SOCKET')
}

type Exchange = Parameters<Contract>[0] & { isEncoded: boolean }

function violationOf(hold: Contract, { isEncoded, ...exchange }: Exchange): string | undefined {
  const { status, text } = exchange
  if (status >= 500) return `it answered ${status}: ${text.slice(0, 500)}`
  if (status >= 400 && text.length > REFUSAL_CHARACTERS_MAX) return `the refusal has ${text.length} characters`
  if (isEncoded || BEFORE_ROUTES.has(status) || OF_TUS.test(exchange.path)) return undefined
  try {
    hold(exchange)
    return undefined
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** A value of hostile.ts that must be shown as text. */
const SCRIPT = '<script>alert(1)</script>'

/** A page may not run what somebody has typed, and leads to no other site. */
function violationOnPage(url: string, headers: Headers, text: string): string | undefined {
  if (headers.get('content-type')?.startsWith('text/html') && text.includes(SCRIPT))
    return 'the page contains a script that was sent as a value'
  const location = headers.get('location')
  const target = location === null ? undefined : URL.parse(location, url)
  if (target === null || (target && !isOwn(target, new URL(url)))) return `it leads to ${location?.slice(0, 200)}`
  return undefined
}

/** Shops have hosts below that of the service, which is `localhost` if it has an address only. */
function isOwn({ protocol, host, hostname, port }: URL, own: URL): boolean {
  return protocol === own.protocol && (host === own.host || (hostname.endsWith('.localhost') && port === own.port))
}
