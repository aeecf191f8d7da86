import { explainFailure } from '#platform/outbound/failures.ts'
import type { Outbound } from '#platform/outbound/outbound.ts'
import { pause } from '#platform/pause.ts'
import { StartError } from '#program/boot/start-error.ts'
import { messageOf } from './program.ts'

/** An event as the service streams it: the request that a webhook would get. */
export type StreamedEvent = { id: string; headers: Record<string, string>; body: string }

export type SourceOptions = {
  outbound: Outbound
  url: string
  topics: string
  /** The token, or a new one after it was refused; undefined if there is none. */
  token: (isRefused: boolean) => Promise<string | undefined>
  signal: AbortSignal
  /** The connection is open, for the first time or again. */
  connected: () => void
  /** The connection is lost, and is tried again after so many seconds. */
  lost: (reason: string, seconds: number) => void
}

const WAIT_SECONDS_MAX = 30

/** Follows the events of a service. When the connection breaks, it is opened again after the last event. */
export async function* followEvents(options: SourceOptions): AsyncGenerator<StreamedEvent> {
  const { signal, lost } = options
  let last: string | undefined
  let failures = 0
  while (!signal.aborted) {
    try {
      const chunks = await connect(options, last)
      options.connected()
      for await (const event of eventsIn(chunks)) {
        failures = 0
        last = event.id
        yield event
      }
      throw new Error('it closed the stream')
    } catch (error) {
      if (signal.aborted) return
      if (error instanceof StartError) throw error
      failures += 1
      const seconds = Math.min(2 ** (failures - 1), WAIT_SECONDS_MAX)
      lost(reasonOf(error, options.url), seconds)
      await pause(seconds * 1000, signal)
    }
  }
}

/** Opens the stream, with a new token if the one before is refused. */
async function connect(options: SourceOptions, last: string | undefined): Promise<AsyncIterable<Uint8Array>> {
  const first = await request(options, last, false)
  const answer = first?.status === 401 ? ((await request(options, last, true)) ?? first) : first
  if (answer === undefined) throw new StartError('There is no token for this service.', 2)
  const { status, body } = answer
  if (status === 200 && answer.type.startsWith('text/event-stream')) return body
  const reason = errorIn(await body.text())
  if (status === 401)
    throw new StartError(`The service refused the token: ${reason}. "licet token" issues another one.`)
  if (status === 429 || status >= 500) throw new Error(`it answered ${status}: ${reason}`)
  if (status === 200 || status === 404)
    throw new StartError(`${options.url} is not the address of a Licet service that can stream events.`)
  throw new StartError(`The service refused: ${reason}`)
}

async function request(
  { outbound, url, topics, token, signal }: SourceOptions,
  last: string | undefined,
  isRefused: boolean,
) {
  const value = await token(isRefused)
  if (value === undefined) return undefined
  const address = new URL('/api/events/stream', url)
  if (topics !== '') address.searchParams.set('topic', topics)
  const { statusCode, headers, body } = await outbound.request(address.href, {
    headers: {
      authorization: `Bearer ${value}`,
      accept: 'text/event-stream',
      ...(last === undefined ? {} : { 'last-event-id': last }),
    },
    signal,
  })
  return { status: statusCode, type: String(headers['content-type']), body }
}

function errorIn(text: string): string {
  try {
    const answer: unknown = JSON.parse(text)
    if (typeof answer === 'object' && answer !== null && 'error' in answer) return String(answer.error)
  } catch {
    // A proxy answers in its own words.
  }
  return text.slice(0, 200)
}

function reasonOf(error: unknown, url: string): string {
  const failure = error instanceof Error ? explainFailure(error, new URL(url).hostname) : undefined
  return (failure?.reason ?? messageOf(error)).replace(/\.$/, '')
}

/** Reads Server-Sent Events. Comments and other fields carry nothing for us. */
async function* eventsIn(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of chunks) {
    text += decoder.decode(chunk, { stream: true })
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const id = /^id: (\d+)$/m.exec(block)?.[1]
      const data = /^data: (.*)$/m.exec(block)?.[1]
      if (id !== undefined && data !== undefined) yield { id, ...JSON.parse(data) }
    }
  }
}
