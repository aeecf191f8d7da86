import type { Dispatcher } from 'undici'
import { errorCode } from '../errors/error-code.ts'
import { STATUS_TEXTS } from '../errors/status-texts.ts'
import { PrivateAddressError } from './connector.ts'
import type { Outbound } from './outbound.ts'

/** `reason` is one sentence for a shop owner; a permanent refusal is not worth a retry. */
export type Refused = { kind: 'refused'; reason: string; permanent: boolean }

export type Download = { kind: 'ok'; bytes: Buffer; contentType: string | undefined } | Refused

export type DownloadLimits = { bytesMax: number; timeoutMs: number; redirectsMax: number }

type Answer = Dispatcher.ResponseData

const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** The statuses below 500 that are worth a retry. */
const COME_BACK = new Set([408, 425, 429])
const FIRST_BUFFER_BYTES = 65_536

/** Compression is not requested: the bytes that are counted on arrival are the bytes that are stored. */
const HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Licet' }

/** Downloads a file from an address that was given from outside; the time limit includes redirects. */
export async function download(outbound: Outbound, address: string, limits: DownloadLimits): Promise<Download> {
  const signal = AbortSignal.timeout(limits.timeoutMs)
  let url = address
  try {
    for (let redirects = 0; redirects <= limits.redirectsMax; redirects += 1) {
      if (!isHttp(url)) return never('The address must start with http:// or https://.')
      const answer = await outbound.request(url, { headers: HEADERS, signal })
      if (!REDIRECTS.has(answer.statusCode)) return await receive(answer, limits.bytesMax)
      discard(answer)
      const { location } = answer.headers
      if (typeof location !== 'string' || !URL.canParse(location, url))
        return never('The address redirects to nowhere.')
      url = new URL(location, url).href
    }
    return never(`The address redirects more than ${limits.redirectsMax} times.`)
  } catch (error) {
    if (signal.aborted) return later(`The server took longer than ${limits.timeoutMs / 1000} seconds.`)
    return afterError(error)
  }
}

function isHttp(url: string): boolean {
  return URL.canParse(url) && /^https?:$/.test(new URL(url).protocol)
}

async function receive(answer: Answer, bytesMax: number): Promise<Download> {
  const refusal = refusalOf(answer, bytesMax)
  if (refusal !== undefined) {
    discard(answer)
    return refusal
  }
  const bytes = await readBody(answer, bytesMax)
  if (bytes === undefined) return tooLarge(bytesMax)
  const contentType = answer.headers['content-type']
  return { kind: 'ok', bytes, contentType: typeof contentType === 'string' ? contentType : undefined }
}

/** The refusal that the status and the headers alone justify. */
function refusalOf({ statusCode, headers }: Answer, bytesMax: number): Refused | undefined {
  if (statusCode !== 200) {
    const reason = `The server answered ${`${statusCode} ${STATUS_TEXTS[statusCode] ?? ''}`.trim()}.`
    return statusCode >= 500 || COME_BACK.has(statusCode) ? later(reason) : never(reason)
  }
  if ((headers['content-encoding'] ?? 'identity') !== 'identity')
    return never('The server sent the file compressed, though asked not to.')
  if (Number(headers['content-length']) > bytesMax) return tooLarge(bytesMax)
  return undefined
}

/** Copies the chunks into one growing buffer, so that millions of tiny chunks cost no more than a few large ones. */
async function readBody({ body }: Answer, bytesMax: number): Promise<Buffer | undefined> {
  let buffer = Buffer.allocUnsafe(Math.min(FIRST_BUFFER_BYTES, bytesMax))
  let length = 0
  const chunks: AsyncIterable<Buffer> = body
  for await (const chunk of chunks) {
    const needed = length + chunk.length
    // Leaving the loop cuts the connection: nothing more is read.
    if (needed > bytesMax) return undefined
    if (needed > buffer.length) {
      const larger = Buffer.allocUnsafe(Math.min(bytesMax, Math.max(needed, buffer.length * 2)))
      buffer.copy(larger, 0, 0, length)
      buffer = larger
    }
    chunk.copy(buffer, length)
    length = needed
  }
  return buffer.subarray(0, length)
}

/** Discards a response unread. The body then emits an error by design, which is ignored. */
function discard({ body }: Answer): void {
  body.on('error', () => {})
  body.destroy()
}

function afterError(error: unknown): Refused {
  const code = errorCode(error) ?? ''
  if (error instanceof PrivateAddressError)
    return never('The address leads into a private network, which is not allowed.')
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return later('The name of the server could not be found.')
  if (/CERT|SELF_SIGNED|UNABLE_TO_|^ERR_(TLS|SSL)|EPROTO/.test(code))
    return later('The server could not prove who it is: its certificate is not valid.')
  if (/^HPE_|CONTENT_LENGTH_MISMATCH|HEADERS_OVERFLOW/.test(code))
    return later('The server sent an answer that makes no sense.')
  if (/^UND_ERR_(SOCKET|ABORTED)$|ECONNRESET|EPIPE/.test(code)) return later('The connection to the server broke.')
  return later('The server could not be reached.')
}

function tooLarge(bytesMax: number): Refused {
  return never(`The file is larger than ${Number((bytesMax / 1_048_576).toFixed(2))} MiB.`)
}

function never(reason: string): Refused {
  return { kind: 'refused', reason, permanent: true }
}

function later(reason: string): Refused {
  return { kind: 'refused', reason, permanent: false }
}
