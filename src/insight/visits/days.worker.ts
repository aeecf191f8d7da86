import { createHmac } from 'node:crypto'
import { readTimeZone } from '#identity/users/queries.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { dayAt } from '#selling/orders/statistics/rules.ts'
import { openDay } from './commands.ts'
import { boundedAgent, endOfDay } from './rules.ts'
import type { Browser, Day } from './state.ts'

const ZONES_MS = 60_000
const DAYS_MAX = 10_000
const VISITOR_DIGITS = 32

/** Recognises a visitor within a day. Without the salt, which is deleted with the day, it leads back to nobody. */
export function visitorOf({ address, userAgent }: Browser, salt: Buffer): string {
  return createHmac('sha256', salt)
    .update(`${address}\n${boundedAgent(userAgent)}`)
    .digest('hex')
    .slice(0, VISITOR_DIGITS)
}

/** The days of companies, and their salts, which this process remembers. */
export function createDays(db: Db, clock: Clock) {
  const zones = new Map<number, { offset: number; until: number }>()
  const salts = new Map<string, { salt: Buffer; endsAt: Date }>()

  async function offsetOf(companyId: number): Promise<number> {
    const now = clock.now().getTime()
    const known = zones.get(companyId)
    if (known !== undefined && known.until > now) return known.offset
    if (zones.size > DAYS_MAX) zones.clear()
    const offset = await readTimeZone(db, companyId)
    zones.set(companyId, { offset, until: now + ZONES_MS })
    return offset
  }

  return {
    async dayOf(companyId: number, at: Date): Promise<Day> {
      return { companyId, day: dayAt(at, await offsetOf(companyId)) }
    },
    /** Null: the day has been counted. */
    async saltOf(day: Day): Promise<Buffer | null> {
      const key = `${day.companyId} ${day.day}`
      const known = salts.get(key)
      if (known !== undefined) return known.salt
      const endsAt = endOfDay(day.day, await offsetOf(day.companyId))
      const salt = await inTransaction(db, (tx) => openDay(tx, day, endsAt))
      if (salts.size > DAYS_MAX) salts.clear()
      for (const [old, { endsAt: end }] of salts) if (end < clock.now()) salts.delete(old)
      if (salt !== null) salts.set(key, { salt, endsAt })
      return salt
    },
  }
}
