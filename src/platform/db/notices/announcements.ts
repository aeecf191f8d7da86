import type pg from 'pg'
import { NOTIFY, type Tx } from '../database.ts'

/** What a transaction has news of, by channel, once it has committed. */
const announced = new WeakMap<Tx, Map<string, Set<string>>>()

/** Those who hear of a change of this process as soon as it is committed. */
const hearers = new WeakMap<pg.Pool, Map<string, Set<Hear>>>()

/** Is called with what has changed. An empty text means that anything may have. */
export type Hear = (subject: string) => void

/**
 * Wakes the listeners of a channel after the transaction has committed. PostgreSQL lets transactions that notify commit
 * one after another, so the notification is sent on its own, and many changes share one. It is a hint: if the process
 * dies in between, nobody hears it, and the listeners find the change when they poll.
 */
export function announce(tx: Tx, channel: string, subject = ''): void {
  const channels = announced.get(tx) ?? new Map<string, Set<string>>()
  announced.set(tx, channels)
  const subjects = channels.get(channel)
  if (subjects === undefined) channels.set(channel, new Set([subject]))
  else subjects.add(subject)
}

/** Calls back before the caller of a transaction of this process knows that it has committed. */
export function hearAtOnce(pool: pg.Pool, channel: string, hear: Hear): void {
  const channels = hearers.get(pool) ?? new Map<string, Set<Hear>>()
  hearers.set(pool, channels)
  channels.set(channel, (channels.get(channel) ?? new Set()).add(hear))
}

/** Sends what a committed transaction has announced, without keeping its caller waiting. */
export function sendAnnouncements(tx: Tx, pool: pg.Pool): void {
  const channels = announced.get(tx)
  if (channels === undefined) return
  announced.delete(tx)
  for (const [channel, subjects] of channels) {
    for (const hear of hearers.get(pool)?.get(channel) ?? []) for (const subject of subjects) hear(subject)
    senderOf(pool, channel)(subjects)
  }
}

type Send = (subjects: ReadonlySet<string>) => void

const PAUSE_MIN_MS = 20
const PAUSE_MAX_MS = 160
/** A notification may be 8,000 bytes long. If there are more subjects than fit, anything may have changed. */
const SUBJECTS_MAX_LENGTH = 7000
const senders = new WeakMap<pg.Pool, Map<string, Send>>()

function senderOf(pool: pg.Pool, channel: string): Send {
  const ofPool = senders.get(pool) ?? new Map<string, Send>()
  senders.set(pool, ofPool)
  const known = ofPool.get(channel)
  if (known !== undefined) return known
  const sender = createSender(pool, channel)
  ofPool.set(channel, sender)
  return sender
}

/**
 * At rest a notification leaves at once. A busy process waits 20 ms for the next one, and twice as long each time that there
 * was news meanwhile: a notification is a transaction, whose commit waits for the disk.
 */
function createSender(pool: pg.Pool, channel: string): Send {
  let isPausing = false
  let pauseMs = PAUSE_MIN_MS
  let waiting = new Set<string>()
  const send = () => {
    const text = waiting.has('') ? '' : [...waiting].join(' ')
    waiting = new Set()
    isPausing = true
    // It is a hint: whoever does not hear it finds the change later, and a database that is away is reported by its users.
    pool.query(NOTIFY, [channel, text.length > SUBJECTS_MAX_LENGTH ? '' : text]).catch(() => {})
    setTimeout(() => {
      isPausing = false
      pauseMs = waiting.size > 0 ? Math.min(2 * pauseMs, PAUSE_MAX_MS) : PAUSE_MIN_MS
      if (waiting.size > 0) send()
    }, pauseMs).unref()
  }
  return (subjects) => {
    for (const subject of subjects) waiting.add(subject)
    if (!isPausing) send()
  }
}
