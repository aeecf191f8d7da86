import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { useEntitlement } from '#rights/entitlements/commands.ts'
import type { Code } from '#rights/entitlements/rights/rules.ts'
import type { Question } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { lockPlayback, type Player } from './queries.ts'
import { ALLOWANCE_MAX, STREAM_HOLD_MS, takeFrom } from './rules.ts'
import type { PlaybackEnd, PlaybackState, PlayedVersion } from './state.ts'

const ID_BYTES = 16

export type NewPlayback = { entitlement_id: number; device_id: string; versions: PlayedVersion[] }

/**
 * Begins a playback. A device plays a thing once: what it played before is over, so that two browsers with one device id do not
 * count as one device.
 */
export async function startPlayback(
  tx: Tx,
  { companyId, customerId, key }: Player,
  { entitlement_id, device_id, versions }: NewPlayback,
  now: Date,
): Promise<string> {
  await tx
    .updateTable('playbacks')
    .set({ ended: 'elsewhere' })
    .where('company_id', '=', companyId)
    .where('entitlement_id', '=', entitlement_id)
    .where('device_id', '=', device_id)
    .where('ended', 'is', null)
    .execute()
  const id = randomToken(ID_BYTES)
  await tx
    .insertInto('playbacks')
    .values({
      company_id: companyId,
      id,
      entitlement_id,
      customer_id: customerId,
      session_key: key,
      device_id,
      versions: JSON.stringify(versions),
      allowance: ALLOWANCE_MAX,
      allowance_at: now,
      created_at: now,
      seen_at: now,
    })
    .execute()
  return id
}

const noteKey = prepareWrite(
  'update',
  'playbacks',
  (tx: Tx, companyId: number, id: string, allowance: number, at: Date) =>
    sql`update playbacks set allowance = ${allowance}::float8, allowance_at = ${at}::timestamptz, seen_at = ${at}::timestamptz
      where company_id = ${companyId} and id = ${id}`.compile(tx),
)

/** Whether a playback gets the next key. */
export type KeyDecision =
  | { kind: 'given'; playback: PlaybackState }
  | { kind: 'refused'; code: Exclude<Code, 'allowed'>; entitlement: EntitlementState }
  | { kind: 'over'; why: PlaybackEnd }
  | { kind: 'too fast' }
  | { kind: 'unknown' }

type Asking = { player: Player & { orderIds: readonly number[] | null }; entitlement: string; playback: string }

/**
 * Asks the rights engine for each key, and holds the place of the device with it: who asks is playing. A refusal has its
 * consequences, and is recorded. How fast keys are given is measured by the machine's time, because a company's may stand still.
 */
export async function askForKey(
  tx: Tx,
  { player, entitlement, playback: id }: Asking,
  question: (device: string) => Question,
  { now, machineNow }: { now: Date; machineNow: Date },
): Promise<KeyDecision> {
  const playback = await lockPlayback(tx, player, entitlement, id)
  if (playback === undefined) return { kind: 'unknown' }
  if (playback.ended !== null) return { kind: 'over', why: playback.ended }
  const { isGiven, allowance } = takeFrom(playback, machineNow)
  if (!isGiven) return { kind: 'too fast' }
  await noteKey(tx, player.companyId, id, allowance, machineNow)
  const { companyId, customerId, orderIds } = player
  const used = await useEntitlement(
    tx,
    { companyId, customerId, orderIds },
    entitlement,
    question(playback.device_id),
    now,
    {
      isRecorded: false,
      holdUntil: new Date(now.getTime() + STREAM_HOLD_MS),
    },
  )
  if (used.code !== 'allowed') return { kind: 'refused', code: used.code, entitlement: used.entitlement }
  return { kind: 'given', playback }
}

/** Says that a playback goes on while it needs no key. False if it is over, or not of this session. */
export async function isGoingOn(tx: Tx, player: Player, entitlement: string, id: string): Promise<boolean> {
  const playback = await lockPlayback(tx, player, entitlement, id)
  return playback !== undefined && playback.ended === null
}

/** Ends what a device plays of a thing, because its page was closed. It gets no more keys. */
export async function leavePlaybacks(
  tx: Tx,
  { companyId }: Pick<Player, 'companyId'>,
  entitlementId: number,
  device: string,
): Promise<void> {
  await tx
    .updateTable('playbacks')
    .set({ ended: 'left' })
    .where('company_id', '=', companyId)
    .where('entitlement_id', '=', entitlementId)
    .where('device_id', '=', device)
    .where('ended', 'is', null)
    .execute()
}

const KEPT_MS = 2 * 86_400_000
const BATCH = 1000

/** Deletes playbacks that got no key for two days. Returns how many there were. */
export async function deleteOldPlaybacks(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS)
  const { rows } = await sql<Columns<'playbacks', 'id'>>`delete from playbacks where (company_id, id) in (
      select old.company_id, old.id from playbacks as old where old.seen_at < ${before} limit ${BATCH})
    returning id`.execute(tx)
  return rows.length
}
