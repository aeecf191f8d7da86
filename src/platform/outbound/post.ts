import querystring from 'node:querystring'
import type { Dispatcher } from 'undici'
import { errorCode } from '../errors/error-code.ts'
import { explainFailure, type PostFailure, WaitError } from './failures.ts'

export type PostMessage = { body: string | Uint8Array; headers: Readonly<Record<string, string>> }

/**
 * `durationMs` ends with the headers of the answer, or with the failure. `response` is the beginning of the answer's
 * body, in a form that PostgreSQL can store.
 */
export type PostOutcome =
  | { status: number; durationMs: number; response: string; failure: undefined }
  | { status: undefined; durationMs: number; response: ''; failure: PostFailure }

export type PostWaits = {
  /** From the written request to the headers of the answer. */
  answerMs: number
  /** From the headers to the end of what is read of the body. */
  bodyMs: number
  /** From the call to the headers, with everything before: a free connection, DNS, TLS, the second try. */
  overallMs: number
}

export const POST_WAITS: PostWaits = { answerMs: 10_000, bodyMs: 2000, overallMs: 25_000 }

export type Channel = {
  dispatcher: Dispatcher
  /** Opens a connection for each request, because those that wait for the next one may all have been closed by now. */
  secondTry: Dispatcher
  /** Is a connection being opened at this moment, so that a request that starts now is its first? */
  isOpening(): boolean
  /** Are so many connections open that none should be kept for later? */
  isCrowded(): boolean
  waits: PostWaits
}

const RESPONSE_BYTES_MAX = 2048
/** Reading a little more than is kept costs less than a new connection for the next post. */
const DISCARDED_BYTES_MAX = 65_536

/** Compression is not requested, because the beginning of a compressed body is not readable. */
const HEADERS = { 'user-agent': 'Licet', 'accept-encoding': 'identity' }

/**
 * Posts a message to an address that was given from outside. Failures of the other side are outcomes; it rejects only
 * for mistakes of the caller, and once the service stops. Redirects are not followed.
 */
export async function post(channel: Channel, address: string, message: PostMessage): Promise<PostOutcome> {
  const start = performance.now()
  const url = URL.parse(address)
  if (url === null || !/^https?:$/.test(url.protocol))
    return failed(start, { code: 'invalid_address', reason: 'The address must start with http:// or https://.' })
  const request: Dispatcher.DispatchOptions = {
    origin: url.origin,
    path: url.pathname + url.search,
    method: 'POST',
    headers: { ...HEADERS, ...credentialsOf(url), ...message.headers },
    body: message.body,
    // The timers of undici are half a second off, so send() has its own.
    headersTimeout: 0,
    bodyTimeout: 0,
    reset: channel.isCrowded(),
  }
  const deadline = start + channel.waits.overallMs
  let sent = await send(channel, channel.dispatcher, request, deadline)
  // A server may close an idle connection just when it is used again. The message may arrive twice, as with any retry.
  if (sent.kind === 'failed' && sent.isStale) sent = await send(channel, channel.secondTry, request, deadline)
  if (sent.kind === 'answered')
    return { status: sent.status, durationMs: Math.round(sent.at - start), response: sent.response, failure: undefined }
  const failure = explainFailure(sent.error, url.hostname)
  if (failure === undefined) throw sent.error
  return failed(start, failure)
}

function failed(start: number, failure: PostFailure): PostOutcome {
  return { status: undefined, durationMs: Math.round(performance.now() - start), response: '', failure }
}

/** Developers protect a receiver with `https://name:password@host/`, as with curl. */
function credentialsOf({ username, password }: URL): Record<string, string> {
  if (username === '' && password === '') return {}
  const text = [username, password].map(querystring.unescape).join(':')
  return { authorization: `Basic ${Buffer.from(text).toString('base64')}` }
}

type Sent =
  | { kind: 'answered'; status: number; at: number; response: string }
  | { kind: 'failed'; error: Error; isStale: boolean }

/** Ends a request whose outcome is known; nobody sees it. */
const NO_LONGER_NEEDED = new Error('the rest of the answer is not needed')

/** The codes of a connection that broke. */
const BROKEN = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'])

/** Sends the request once. Undici's handlers are used directly, because a stream for each body would cost more. */
function send(
  { isOpening, waits }: Channel,
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  deadline: number,
): Promise<Sent> {
  const { promise, resolve } = Promise.withResolvers<Sent>()
  let controller: Dispatcher.DispatchController | undefined
  let isFirstOfConnection = false
  let hasBegun = false
  let isSettled = false
  let answer: { status: number; at: number; encoding: string } | undefined
  let waitMs = Math.max(0, deadline - performance.now())
  let timer = setTimeout(runOut, waitMs, 'connection')
  const kept: Buffer[] = []
  let length = 0

  function settle(sent: Sent): void {
    isSettled = true
    resolve(sent)
  }

  /** Settles with the status, once there is one: what happens to the body afterwards does not change it. */
  function finish(error: Error): void {
    if (isSettled) return
    if (answer !== undefined) settle({ kind: 'answered', ...answer, response: textOf(kept, length, answer.encoding) })
    else settle({ kind: 'failed', error, isStale: !isFirstOfConnection && !hasBegun && isBroken(error) })
  }

  function runOut(waitingFor: 'connection' | 'answer'): void {
    finish(new WaitError(waitingFor, waitMs))
    controller?.abort(NO_LONGER_NEEDED)
  }

  dispatcher.dispatch(request, {
    onRequestStart(started) {
      controller = started
      isFirstOfConnection = isOpening()
      if (isSettled) controller.abort(NO_LONGER_NEEDED)
    },
    onRequestSent() {
      clearTimeout(timer)
      waitMs = Math.max(0, Math.min(waits.answerMs, deadline - performance.now()))
      timer = setTimeout(runOut, waitMs, 'answer')
    },
    onResponseStarted() {
      hasBegun = true
    },
    onResponseStart(_controller, status, headers) {
      // An informational answer precedes the real one.
      if (status < 200) return
      const encoding = headers['content-encoding']
      answer = { status, at: performance.now(), encoding: typeof encoding === 'string' ? encoding : 'identity' }
      clearTimeout(timer)
      timer = setTimeout(runOut, waits.bodyMs, 'answer')
    },
    onResponseData(running, chunk) {
      if (length < RESPONSE_BYTES_MAX) kept.push(chunk)
      length += chunk.length
      if (length >= RESPONSE_BYTES_MAX) finish(NO_LONGER_NEEDED)
      if (length > DISCARDED_BYTES_MAX) running.abort(NO_LONGER_NEEDED)
    },
    onResponseEnd() {
      clearTimeout(timer)
      finish(NO_LONGER_NEEDED)
    },
    onResponseError(_controller, error) {
      clearTimeout(timer)
      finish(error)
    },
  })
  return promise
}

function isBroken(error: Error): boolean {
  return BROKEN.has(errorCode(error) ?? '')
}

const WHOLE = new TextDecoder()

/** Decodes the beginning of a body. Bytes that are no UTF-8, and NUL, become U+FFFD; a cut character is left out. */
function textOf(chunks: readonly Buffer[], length: number, encoding: string): string {
  if (length === 0) return ''
  if (encoding !== 'identity') return '(compressed)'
  const bytes = Buffer.concat(chunks, Math.min(length, RESPONSE_BYTES_MAX))
  const isCut = length > RESPONSE_BYTES_MAX
  const text = isCut ? new TextDecoder().decode(bytes, { stream: true }) : WHOLE.decode(bytes)
  return text.replaceAll('\0', '\uFFFD')
}
