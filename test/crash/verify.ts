import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '#platform/db/database.ts'
import type { Change } from './changes.ts'
import type { Arrival } from './receiver.ts'

export type Kill = { at: number; isWorker: boolean }

export type Verdict = {
  changes: number
  /** Changes whose answer was lost, and those of them that had been made. */
  uncertain: number
  uncertainMade: number
  arrivals: number
  /** Requests with an event that had been acknowledged before. */
  repeats: number
}

/** Compares what arrived with what was changed; throws if an event is missing, too many, late or out of order. */
export async function verify(
  db: Db,
  companyId: number,
  asked: readonly Change[],
  arrivals: readonly Arrival[],
  kills: readonly Kill[],
): Promise<Verdict> {
  const made = await Promise.all(
    asked.map(async ({ topic, resource, lookUp }) => ({ topic, resource: resource ?? (await lookUp(db)) })),
  )
  const expected = countBy(
    made.flatMap(({ topic, resource }) => (resource === undefined ? [] : `/${topic} ${resource}`)),
  )
  const messages = [...Map.groupBy(arrivals, ({ path, messageId }) => `${path} ${messageId}`).values()]

  const arrived = countBy(messages.flatMap(([first]) => (first === undefined ? [] : `${first.path} ${first.resource}`)))
  assert.deepEqual(arrived, expected, 'one event for every change that was made, and none for any other')

  const { rows } = await sql<{ count: number }>`select count(*) as count from deliveries
    where company_id = ${companyId} and state = 'delivered'`.execute(db)
  assert.equal(rows[0]?.count, messages.length, 'what arrived is on record as delivered')

  for (const ofMessage of messages)
    assert.ok(
      ofMessage.some(({ acknowledgedAt }) => acknowledgedAt !== undefined),
      `${ofMessage[0]?.messageId} was acknowledged`,
    )

  const firsts = messages.flatMap(([first]) => first ?? [])
  for (const ofResource of Map.groupBy(firsts, ({ path, resource }) => `${path} ${resource}`).values()) {
    const positions = ofResource.toSorted((one, other) => one.at - other.at).map(({ position }) => position)
    const inOrder = positions.toSorted((one, other) => one - other)
    assert.deepEqual(positions, inOrder, `${ofResource[0]?.resource} in its order`)
  }

  const repeats = messages.flatMap((ofMessage) => ofMessage.slice(1).filter((arrival) => isRepeat(ofMessage, arrival)))
  for (const { messageId, at } of repeats) {
    const acknowledgedAt = messages
      .flat()
      .find((arrival) => arrival.messageId === messageId && arrival.acknowledgedAt !== undefined)?.acknowledgedAt
    assert.ok(
      kills.some((kill) => kill.isWorker && kill.at > (acknowledgedAt ?? at) - RECORDED_MS && kill.at < at),
      `${messageId} came again although no worker was killed before it had recorded the answer`,
    )
  }
  const uncertain = asked.filter(({ isCertain }) => !isCertain)
  const uncertainMade = asked.filter(({ isCertain }, index) => !isCertain && made[index]?.resource !== undefined)
  return {
    changes: [...expected.values()].reduce((sum, count) => sum + count, 0),
    uncertain: uncertain.length,
    uncertainMade: uncertainMade.length,
    arrivals: arrivals.length,
    repeats: repeats.length,
  }
}

/** The clocks of receiver and proof are the same, but an answer is on its way for a moment. */
const RECORDED_MS = 50

function isRepeat(ofMessage: readonly Arrival[], arrival: Arrival): boolean {
  return ofMessage.some(({ acknowledgedAt }) => acknowledgedAt !== undefined && acknowledgedAt < arrival.at)
}

function countBy(keys: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const key of keys.toSorted()) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}
