import type pg from 'pg'
import { NOTIFY, type Tx } from './database.ts'

/** Channels that a transaction has news for, once it has committed. */
const announced = new WeakMap<Tx, Set<string>>()

/**
 * Wakes the listeners of a channel after the transaction has committed. PostgreSQL lets transactions that notify commit
 * one after another, so the notification is sent on its own, and many changes share one. It is a hint: if the process
 * dies in between, nobody hears it, and the listeners find the change when they poll.
 */
export function announce(tx: Tx, channel: string): void {
  const channels = announced.get(tx)
  if (channels === undefined) announced.set(tx, new Set([channel]))
  else channels.add(channel)
}

/** Sends what a committed transaction has announced, without keeping its caller waiting. */
export function sendAnnouncements(tx: Tx, pool: pg.Pool): void {
  const channels = announced.get(tx)
  if (channels === undefined) return
  announced.delete(tx)
  for (const channel of channels) senderOf(pool, channel)()
}

const PAUSE_MS = 20
const senders = new WeakMap<pg.Pool, Map<string, () => void>>()

function senderOf(pool: pg.Pool, channel: string): () => void {
  const ofPool = senders.get(pool) ?? new Map<string, () => void>()
  senders.set(pool, ofPool)
  const known = ofPool.get(channel)
  if (known !== undefined) return known
  const sender = createSender(pool, channel)
  ofPool.set(channel, sender)
  return sender
}

/** At rest a notification leaves at once; a busy process sends one every 20 ms. */
function createSender(pool: pg.Pool, channel: string): () => void {
  let isPausing = false
  let isWanted = false
  const send = () => {
    isWanted = false
    isPausing = true
    pool.query(NOTIFY, [channel, '']).catch(() => {})
    setTimeout(() => {
      isPausing = false
      if (isWanted) send()
    }, PAUSE_MS).unref()
  }
  return () => {
    isWanted = true
    if (!isPausing) send()
  }
}
