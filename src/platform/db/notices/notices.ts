import type pg from 'pg'
import type { Log } from '../../log/log.ts'
import { pause } from '../../pause.ts'
import { isDatabaseAway } from '../database.ts'
import { type Hear, hearAtOnce } from './announcements.ts'

/**
 * Receives notifications of other processes through the database. A notice is a hint: a lost one must only cost time.
 */
export type Notices = {
  /** Calls back when a notice arrives on a channel, and when one may have been missed. */
  on(channel: string, hear: Hear): void
  /** The same, and changes of this process are heard as soon as they are committed. */
  onAtOnce(channel: string, hear: Hear): void
  /** Is there a connection, on which notices arrive? */
  isListening(): boolean
  start(): void
  stop(): Promise<void>
}

const AGAIN_MS = 1000

/**
 * One connection for all channels; when it breaks, another is made. It comes from `sessions`, because a pooler keeps none
 * for a listener.
 */
export function createNotices(pool: pg.Pool, log: Log, sessions: pg.Pool = pool): Notices {
  const stopping = new AbortController()
  const channels = new Map<string, Set<Hear>>()
  let listener: pg.PoolClient | undefined
  let finished: Promise<void> = Promise.resolve()
  let isAway = false

  function hearAll(): void {
    for (const hearers of channels.values()) for (const hear of hearers) hear('')
  }

  async function listenOnce(): Promise<void> {
    const client = await sessions.connect()
    try {
      client.on('notification', ({ channel, payload = '' }) => {
        for (const hear of channels.get(channel) ?? []) for (const subject of payload.split(' ')) hear(subject)
      })
      listener = client
      await Promise.all([...channels.keys()].map((channel) => client.query(`listen ${channel}`)))
      hearAll()
      if (isAway) log.info('the database is back')
      isAway = false
      await new Promise<void>((resolve) => {
        client.once('error', () => resolve())
        client.once('end', () => resolve())
        // An abort during connecting fires no event any more.
        if (stopping.signal.aborted) resolve()
        stopping.signal.addEventListener('abort', () => resolve(), { once: true })
      })
    } finally {
      listener = undefined
      client.release(true)
    }
  }

  /** Said once, however often it is tried again. */
  function noteAway(): void {
    if (isAway || stopping.signal.aborted) return
    isAway = true
    log.warn('the database is away: nothing is heard of other processes until it is back')
  }

  async function listen(): Promise<void> {
    while (!stopping.signal.aborted) {
      const failure = await listenOnce().catch((error: unknown) => error)
      if (failure !== undefined && !isDatabaseAway(failure)) log.error({ err: failure }, 'listening failed')
      else noteAway()
      await pause(AGAIN_MS, stopping.signal)
    }
  }

  function on(channel: string, hear: Hear): void {
    const hearers = channels.get(channel)
    if (hearers !== undefined) return void hearers.add(hear)
    channels.set(channel, new Set([hear]))
    listener?.query(`listen ${channel}`).catch((error) => {
      // A connection that breaks now is made again, with all channels.
      if (!isDatabaseAway(error)) log.error({ err: error }, 'listening failed')
    })
  }

  return {
    on,
    onAtOnce(channel, hear) {
      hearAtOnce(pool, channel, hear)
      on(channel, hear)
    },
    isListening: () => listener !== undefined,
    start() {
      finished = listen()
    },
    async stop() {
      stopping.abort()
      await finished
    },
  }
}
