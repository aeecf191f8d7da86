import { sql } from 'kysely'
import type { Tx } from '#platform/db/database.ts'
import type { Columns } from '#platform/db/expressions.ts'
import { prepareWrite } from '#platform/db/writes.ts'
import { randomToken } from '#platform/identity/crypto.ts'
import { releaseDevice, type Used, useEntitlement } from '#rights/entitlements/commands.ts'
import type { Code } from '#rights/entitlements/rights/rules.ts'
import type { Question } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { findPlayback, lockPlayback, type Player, readRecent } from './queries.ts'
import { ALLOWANCE_FULL_MS, firstAllowance, STREAM_HOLD_MS, takeFrom } from './rules.ts'
import type { PlaybackEnd, PlaybackState, PlayedVersion } from './state.ts'

const ID_BYTES = 16

export type NewPlayback = { entitlement_id: number; device_id: string; versions: PlayedVersion[] }

/**
 * Begins a playback; lock the entitlement first. A device plays a thing once: what it played before is over, so that two browsers
 * with one device id do not count as one device. It gets as many keys as those before it have left, so that beginning again gives none.
 */
export async function startPlayback(
  tx: Tx,
  { companyId, customerId, key }: Player,
  { entitlement_id, device_id, versions }: NewPlayback,
  machineNow: Date,
): Promise<string> {
  await tx
    .updateTable('playbacks')
    .set({ ended: 'elsewhere' })
    .where('company_id', '=', companyId)
    .where('entitlement_id', '=', entitlement_id)
    .where('device_id', '=', device_id)
    .where('ended', 'is', null)
    .execute()
  const since = new Date(machineNow.getTime() - ALLOWANCE_FULL_MS)
  const recent = await readRecent(tx, companyId, { customerId, entitlementId: entitlement_id, since })
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
      allowance: firstAllowance(recent, machineNow),
      allowance_at: machineNow,
      created_at: machineNow,
      seen_at: machineNow,
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

/** What a session asks for with a playback. */
export type Asking = { player: Player & { orderIds: readonly number[] | null }; entitlement: string; playback: string }

/** The answer of the rights engine to a playback that goes on, or why it does not. */
export type Going =
  | { kind: 'going'; playback: PlaybackState; used: Used }
  | { kind: 'over'; why: PlaybackEnd }
  | { kind: 'unknown' }

/**
 * Asks the rights engine for a device that plays, and holds its place. A refusal has its consequences, and is recorded. The
 * playback is locked after its entitlement, as by everything else that wants both.
 */
export async function keepGoing(
  tx: Tx,
  { player, entitlement, playback: id }: Asking,
  question: (device: string) => Question,
  now: Date,
): Promise<Going> {
  const known = await findPlayback(tx, player, entitlement, id)
  return known === undefined
    ? { kind: 'unknown' }
    : goOn(tx, known, { player, entitlement, playback: id }, question, now)
}

async function goOn(
  tx: Tx,
  known: PlaybackState,
  { player, entitlement, playback: id }: Asking,
  question: (device: string) => Question,
  now: Date,
): Promise<Going> {
  if (known.ended !== null) return { kind: 'over', why: known.ended }
  const { companyId, customerId, orderIds } = player
  const viewer = { companyId, customerId, orderIds }
  const holdUntil = new Date(now.getTime() + STREAM_HOLD_MS)
  const used = await useEntitlement(tx, viewer, entitlement, question(known.device_id), now, {
    isRecorded: false,
    holdUntil,
  })
  const playback = await lockPlayback(tx, player, entitlement, id)
  if (playback === undefined) return { kind: 'unknown' }
  if (playback.ended === null) return { kind: 'going', playback, used }
  // It was left in the same moment, and what is left holds no place.
  if (playback.ended === 'left') await releaseDevice(tx, viewer, entitlement, playback.device_id, now)
  return { kind: 'over', why: playback.ended }
}

/** Whether a playback gets the next key. */
export type KeyDecision =
  | { kind: 'given'; playback: PlaybackState; entitlement: EntitlementState }
  | { kind: 'refused'; code: Exclude<Code, 'allowed'>; entitlement: EntitlementState }
  | { kind: 'over'; why: PlaybackEnd }
  | { kind: 'too fast' }
  | { kind: 'unknown' }

/**
 * Asks the rights engine for each key, and holds the place of the device with it: who asks is playing. How fast keys are given is
 * measured by the machine's time, because a company's may stand still.
 */
export async function askForKey(
  tx: Tx,
  asking: Asking,
  question: (device: string) => Question,
  { now, machineNow }: { now: Date; machineNow: Date },
): Promise<KeyDecision> {
  const { player, entitlement: ref, playback: id } = asking
  const known = await findPlayback(tx, player, ref, id)
  if (known === undefined) return { kind: 'unknown' }
  // Who asks too fast is refused before anything is locked.
  if (known.ended === null && !takeFrom(known, machineNow).isGiven) return { kind: 'too fast' }
  const going = await goOn(tx, known, asking, question, now)
  if (going.kind !== 'going') return going
  const { playback, used } = going
  const { isGiven, allowance } = takeFrom(playback, machineNow)
  if (!isGiven) return { kind: 'too fast' }
  await noteKey(tx, player.companyId, playback.id, allowance, machineNow)
  const { code, entitlement } = used
  return code === 'allowed' ? { kind: 'given', playback, entitlement } : { kind: 'refused', code, entitlement }
}

/**
 * Ends a playback whose page was closed, so that another device can play at once; lock the entitlement first. False if it was over
 * before: then the device may play the same in another window, whose place it keeps. Without an id it ends whatever the device plays.
 */
export async function leavePlaybacks(
  tx: Tx,
  { companyId }: Pick<Player, 'companyId'>,
  { entitlementId, device, playback }: { entitlementId: number; device: string; playback: string },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('playbacks')
    .set({ ended: 'left' })
    .where('company_id', '=', companyId)
    .where('entitlement_id', '=', entitlementId)
    .where('device_id', '=', device)
    .where('ended', 'is', null)
    .$if(playback !== '', (query) => query.where('id', '=', playback))
    .executeTakeFirstOrThrow()
  return playback === '' || numUpdatedRows > 0n
}

const KEPT_MS = 2 * 86_400_000
const BATCH = 1000

/** Deletes playbacks that got no key for two days. Returns how many there were. */
export async function deleteOldPlaybacks(tx: Tx, now: Date): Promise<number> {
  const before = new Date(now.getTime() - KEPT_MS)
  const { rows } = await sql<Columns<'playbacks', 'id'>>`delete from playbacks where (company_id, id) in (
      select old.company_id, old.id from playbacks as old where old.seen_at < ${before}
      order by old.seen_at limit ${BATCH})
    returning id`.execute(tx)
  return rows.length
}
