import { ConnectionError, errorOf, isError, retryAfterSeconds } from './errors.ts'

export type Transport = {
  fetch: typeof fetch
  /** How often a request is sent again, at most. */
  maxRetries: number
  /** How long one attempt may take. */
  timeoutMs: number
}

export type TransportOptions = Partial<Transport>

export type Outgoing = {
  url: string
  method: string
  headers: Record<string, string>
  body?: string | undefined
  signal?: AbortSignal | undefined
}

export type Answer = { status: number; headers: Headers; body: unknown }

export function createTransport({ fetch: ownFetch, maxRetries = 4, timeoutMs = 60_000 }: TransportOptions): Transport {
  // The global is looked up for each request, because tests and tools replace it.
  return { fetch: ownFetch ?? ((input, init) => fetch(input, init)), maxRetries, timeoutMs }
}

const FIRST_DELAY_MS = 500
const DELAY_MAX_MS = 8_000
/** Whoever is told to wait for longer gets the error at once, and can decide. */
const RETRY_AFTER_MAX_SECONDS = 60

/**
 * Sends a request, again where that can help and does no harm. The service has not done what it answers with 429 or 503.
 * After a network failure, 502 and 504 nobody knows, so only requests that can be done twice are repeated.
 */
export async function send(transport: Transport, outgoing: Outgoing, isRepeatable: boolean): Promise<Answer> {
  for (let retry = 0; ; retry += 1) {
    const result = await attempt(transport, outgoing)
    outgoing.signal?.throwIfAborted()
    const delayMs = retry < transport.maxRetries ? delayBefore(result, retry, isRepeatable) : undefined
    if (delayMs !== undefined) {
      await sleep(delayMs, outgoing.signal)
      continue
    }
    if (result instanceof ConnectionError) throw result
    if (isError(result.status, result.body)) throw errorOf(result.status, result.headers, result.body)
    return result
  }
}

async function attempt({ fetch, timeoutMs }: Transport, outgoing: Outgoing): Promise<Answer | ConnectionError> {
  const { url, method, headers, body = null, signal } = outgoing
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(url, {
      method,
      headers,
      body,
      signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
    })
    return { status: response.status, headers: response.headers, body: parsed(await response.text()) }
  } catch (cause) {
    return new ConnectionError(`${method} ${new URL(url).pathname} got no answer.`, { cause })
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Milliseconds to wait before the request is sent again, or undefined if it is not. */
function delayBefore(result: Answer | ConnectionError, retry: number, isRepeatable: boolean): number | undefined {
  // Full delays would let all clients that failed together come back together.
  const backOffMs = Math.min(FIRST_DELAY_MS * 2 ** retry, DELAY_MAX_MS) * (0.5 + Math.random() / 2)
  if (result instanceof ConnectionError || isUnknown(result)) return isRepeatable ? backOffMs : undefined
  if (!isRefusedForNow(result)) return undefined
  const seconds = retryAfterSeconds(result.headers)
  if (seconds === undefined) return backOffMs
  return seconds <= RETRY_AFTER_MAX_SECONDS ? seconds * 1000 : undefined
}

/** The first request with the same `Idempotency-Key` is still at work: its answer comes a little later. */
const KEY_IN_USE = 'idempotency_key_in_use'

/** A proxy or the service has lost what it asked, or the answer. */
function isUnknown({ status }: Answer): boolean {
  return status === 502 || status === 504
}

function isRefusedForNow({ status, headers, body }: Answer): boolean {
  if (status === 409) return errorOf(status, headers, body).reason === KEY_IN_USE
  return status === 429 || status === 503
}

export function sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, delayMs)
    signal?.addEventListener('abort', stop, { once: true })
  })
}
