import { listEvents, readLastPositions } from '#history/events/queries.ts'
import { readTopics } from '#history/events/rules.ts'
import type { LoggedEvent } from '#history/events/state.ts'
import type { MachineClock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { fieldInvalid } from '#platform/errors/faults.ts'
import { validationFailed } from '#platform/errors/problem.ts'
import type { TokenCaller } from '#platform/identity/caller.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { appWithoutSecret, tooManyStreams } from '../errors.ts'
import { createSecrets } from '../sender/app-secrets.worker.ts'
import { buildMessage, type Secrets } from '../sender/message.worker.ts'
import { type Listener, type Listeners, STREAMS_MAX } from './listeners.worker.ts'
import { getSealedSecrets } from './queries.ts'
import type { StreamQuery } from './schema.ts'

/** Events of one page, which is all that a stream holds in memory. */
const PAGE = 100
const KEEP_ALIVE_MS = 15_000
const RECONNECT_MS = 1000

type Dependencies = { db: Db; clock: MachineClock; vault: Vault; listeners: Listeners }

export type StreamRequest = {
  caller: TokenCaller
  query: StreamQuery
  lastEventId: string | undefined
  isStillAdmitted: () => Promise<boolean>
}

export type Stream = { text: AsyncIterable<string>; leave: () => void }

type ReadSecrets = () => Promise<Secrets>

/** Opens streams of events, each signed for the app that reads it. */
export function createStreams({
  db,
  clock,
  vault,
  listeners,
}: Dependencies): (request: StreamRequest) => Promise<Stream> {
  const secretsOf = createSecrets(vault)

  /** The secrets of the app as they are now: they may be rotated while a stream is open. */
  async function readSecrets(appId: number): Promise<Secrets> {
    const secrets = secretsOf(await getSealedSecrets(db, appId), clock.now())
    if (secrets === undefined) throw appWithoutSecret()
    return secrets
  }

  return async ({ caller, query, lastEventId, isStillAdmitted }) => {
    const { companyId, appId } = caller
    const topics = readTopics(query.topic)
    const named = readPosition(lastEventId) ?? query.since_id
    const after = named ?? (await readLastPositions(db, [companyId])).get(companyId) ?? 0
    const secrets = () => readSecrets(appId)
    await secrets()
    const listener = listeners.enter(companyId, appId)
    if (listener === undefined) throw tooManyStreams(STREAMS_MAX)
    const text = streamEvents({ db, clock, caller, topics, after, listener, secrets, isStillAdmitted })
    return { text, leave: listener.leave }
  }
}

function readPosition(lastEventId: string | undefined): number | undefined {
  if (lastEventId === undefined || lastEventId === '') return undefined
  if (!/^\d{1,15}$/.test(lastEventId))
    throw validationFailed('last-event-id', fieldInvalid('must be the id of an event'))
  return Number(lastEventId)
}

type StreamOptions = Pick<Dependencies, 'db' | 'clock'> &
  Pick<StreamRequest, 'caller' | 'isStillAdmitted'> & {
    /** Undefined means all topics. */
    topics: readonly string[] | undefined
    /** The position of the last event that the reader has. */
    after: number
    listener: Listener
    secrets: ReadSecrets
  }

/**
 * The text of a stream, page by page: each is read once the reader has taken the one before. Whether the token is still
 * good is checked before every page, so that nothing is sent once it has ended.
 */
async function* streamEvents(options: StreamOptions): AsyncGenerator<string> {
  const { db, clock, caller, topics, listener, secrets, isStillAdmitted } = options
  const readPage = listEvents(db, caller, {})
  let { after } = options
  yield `retry: ${RECONNECT_MS}\n: connected\n\n`
  while (!listener.signal.aborted && (await isStillAdmitted())) {
    const seen = listener.seen()
    const events = await readPage({ after, limit: PAGE, offset: 0 })
    after = events.at(-1)?.id ?? after
    const wanted = topics === undefined ? events : events.filter(({ topic }) => topics.includes(topic))
    if (wanted.length > 0) yield textOf(wanted, caller.companyId, await secrets(), clock.now())
    if (events.length > PAGE) continue
    const untilExpiry = Math.max(0, caller.expiresAt.getTime() - clock.now().getTime())
    const isNews = await listener.wait(seen, Math.min(KEEP_ALIVE_MS, untilExpiry))
    if (!isNews) yield ': keep-alive\n\n'
  }
}

/** Each event is the request that a webhook would get. */
function textOf(events: readonly LoggedEvent[], companyId: number, secrets: Secrets, now: Date): string {
  const entries = events.map(({ id, topic, data }) => {
    const event = { company_id: companyId, message_id: `evt_${id}`, topic, producer: 'shop', data }
    return `id: ${id}\ndata: ${JSON.stringify(buildMessage(event, secrets, now))}\n\n`
  })
  return entries.join('')
}
