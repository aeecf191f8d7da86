import { readReleasesAhead } from '#catalog/products/queries.ts'
import type { Action } from '#history/audit/actions.facts.ts'
import { recordChange } from '#history/audit/commands.ts'
import { emit } from '#history/events/emit.commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { asOneStatement } from '#platform/db/writes.ts'
import type { Author } from '#platform/identity/caller.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { lockAlike } from './alike.queries.ts'
import { assertRoom, noteDevice } from './devices/commands.ts'
import { restoreOwesOwner } from './errors.ts'
import { presentDecision, storedDocument, wholeDocument } from './present.ts'
import { lockEntitlement, type Owned, readNewest, type Viewer } from './queries.ts'
import {
  afterAction,
  type Code,
  clockToNote,
  decide,
  HOLD_MS,
  needsDevice,
  toldCode,
  withoutHold,
  withoutLicense,
} from './rights/rules.ts'
import type { RevokedReason } from './rights/state.ts'
import { insertEntitlements, saveAlike, saveEntitlements, saveUse } from './rows.commands.ts'
import {
  askOf,
  choosePieces,
  isHeldUntil,
  isNews,
  owesOwner,
  type Question,
  release,
  restore,
  revoke,
  rightsOf,
  startNow,
} from './rules.ts'
import type { EntitlementState, NewEntitlement } from './state.ts'
import { countUse, recordUse } from './uses/commands.ts'

/** Gives a customer what was sold, redeemed or given. It only writes, so that it costs an order little. */
export function grant(tx: Tx, granted: readonly NewEntitlement[], language: string, now: Date): Promise<void> {
  return insertEntitlements(tx, granted, language, now)
}

/** Gives a customer what is granted, and returns it. Lock the account of the customer first: the newest are these. */
export async function grantNow(
  tx: Tx,
  granted: readonly NewEntitlement[],
  language: string,
  now: Date,
): Promise<Written<EntitlementState[]>> {
  const [first] = granted
  if (first === undefined) return { state: [], document: '[]' }
  await insertEntitlements(tx, granted, language, now)
  const newest = await readNewest(tx, first.company_id, first.customer_id, granted.length)
  const documents = newest.map((piece) => wholeDocument(piece, storedDocument(piece, language, now)))
  return { state: newest, document: `[${documents.join(',')}]` }
}

/** A use that was asked for: the decision, and the entitlement after it. */
export type Used = { code: Code; entitlement: EntitlementState; language: string; document: string }

export type UseOptions = {
  /** How long the device holds the content; null: until it gives it back. */
  holdUntil?: Date | null
  /** The license with which the device holds it. */
  license?: string
  /** False for a heartbeat, which is a part of a use that was recorded. */
  isRecorded?: boolean
}

/**
 * Asks whether the customer may do something, and counts it if so. Uses of one entitlement happen one after another, so
 * that the last download is given once.
 */
export async function useEntitlement(
  tx: Tx,
  viewer: Viewer,
  ref: string,
  request: Question,
  now: Date,
  { holdUntil = new Date(now.getTime() + HOLD_MS), license, isRecorded = true }: UseOptions = {},
): Promise<Used> {
  const { entitlement: before, language, device } = await lockEntitlement(tx, viewer, ref, request.device ?? '')
  const rights = rightsOf(before)
  const ask = askOf(request, device)
  const decided = decide(rights, ask, now)
  const after = afterAction(rights, ask, decided, now, holdUntil, license)
  const code = toldCode(decided, after)
  const entitlement = after === rights ? before : changed(before, after, now)
  const owner = { companyId: before.company_id, customerId: before.customer_id }
  const isUsed = ask.device !== null && code === 'allowed' && needsDevice(ask)
  const client_time = clockToNote(rights, request.client_time, now)
  const isNoted = isUsed && isNews(device, client_time, now)
  if (isNoted && !device.is_known) await assertRoom(tx, owner)
  await asOneStatement(tx, () => [
    entitlement === before ? undefined : saveUse(tx, { entitlement, language }, now),
    request.device !== null && isNoted
      ? noteDevice(tx, owner, { device_id: request.device, client_time }, now)
      : undefined,
    isRecorded || code !== 'allowed'
      ? recordUse(tx, {
          company_id: before.company_id,
          entitlement_id: before.id,
          kind: 'use',
          action: request.action,
          code,
          device_id: request.device,
          country: request.country,
          client_time: request.client_time,
          app_id: request.appId,
          created_at: now,
        })
      : undefined,
    isRecorded && code === 'allowed' ? countUse(tx, before, request.action, now) : undefined,
  ])
  const decision = presentDecision(rights, { code, shown: after, language }, now)
  return { code, entitlement, language, document: asciiJson(decision) }
}

function changed(before: EntitlementState, after: ReturnType<typeof rightsOf>, now: Date): EntitlementState {
  const { first_used_at, revoked, suspended, usage } = after
  // What was used has begun, whatever becomes of the date of the product.
  const awaits_release = before.awaits_release && first_used_at === null
  const revoked_at = revoked !== null && before.revoked === null ? now : before.revoked_at
  return { ...before, first_used_at, awaits_release, revoked, revoked_at, suspended, usage, updated_at: now }
}

/** Gives back what a device holds, so that another device can use it. */
export function releaseDevice(tx: Tx, viewer: Viewer, ref: string, device: string, now: Date): Promise<void> {
  return releaseDevices(tx, viewer, ref, [device], now)
}

export async function releaseDevices(
  tx: Tx,
  viewer: Viewer,
  ref: string,
  devices: readonly string[],
  now: Date,
): Promise<void> {
  const { entitlement, language } = await lockEntitlement(tx, viewer, ref)
  const { usage } = devices.reduce((rights, device) => withoutHold(rights, device, now), rightsOf(entitlement))
  if (usage.holds.length === entitlement.usage.holds.length) return
  await saveEntitlements(tx, viewer.companyId, [{ entitlement: { ...entitlement, usage }, language }], now)
}

/** Gives back what a license holds, so that another device can use it. */
export async function releaseLicense(
  tx: Tx,
  { entitlement, language }: Owned,
  license: string,
  now: Date,
): Promise<void> {
  const { usage } = withoutLicense(rightsOf(entitlement), license)
  if (usage.holds.length === entitlement.usage.holds.length) return
  await saveEntitlements(tx, entitlement.company_id, [{ entitlement: { ...entitlement, usage }, language }], now)
}

/** Revokes some pieces of the lines of an order; choosePieces says which. */
export async function revokePieces(
  tx: Tx,
  companyId: number,
  orderId: number,
  lines: readonly { line_id: number; quantity: number }[],
  reason: RevokedReason,
  now: Date,
): Promise<void> {
  if (lines.length === 0) return
  const groups = await lockAlike(tx, companyId, orderId)
  const parts = groups.flatMap((group) => {
    const { line_id, revoked, first_used_at } = group.entitlement
    return group.pieces.map((piece) => ({ ...piece, line_id, revoked, first_used_at, group }))
  })
  const byLine = Map.groupBy(parts, ({ line_id }) => line_id)
  const chosen = lines.flatMap(({ line_id, quantity }) => choosePieces(byLine.get(line_id) ?? [], quantity))
  const changed = [...Map.groupBy(chosen, ({ group }) => group)].map(([{ entitlement, language }, pieces]) => ({
    entitlement: revoke(entitlement, reason, now),
    language,
    pieces,
  }))
  await saveAlike(tx, companyId, changed, now)
}

/** Lets the content of an order be used once it is confirmed, or stops it again. */
export async function setOnHold(
  tx: Tx,
  companyId: number,
  orderId: number,
  isOnHold: boolean,
  now: Date,
): Promise<void> {
  const after = (await lockAlike(tx, companyId, orderId)).map(({ entitlement, ...rest }) => ({
    ...rest,
    entitlement: isOnHold ? { ...entitlement, on_hold: true, updated_at: now } : release(entitlement, now),
  }))
  await saveAlike(tx, companyId, after, now)
}

/** Lets the content of an order start now that was to be held until a day. */
export async function startHeld(tx: Tx, companyId: number, orderId: number, day: Date, now: Date): Promise<void> {
  const held = (await lockAlike(tx, companyId, orderId)).filter(({ entitlement }) => isHeldUntil(entitlement, day))
  const keys = held.map(({ entitlement }) => entitlement.product_key)
  const releases = await readReleasesAhead(tx, companyId, keys, now)
  const started = held.map(({ entitlement, ...rest }) => ({
    ...rest,
    entitlement: startNow(entitlement, releases.get(entitlement.product_key), now),
  }))
  await saveAlike(tx, companyId, started, now)
}

type Deed = {
  action: Action
  change: (entitlement: EntitlementState) => EntitlementState
  /** More about it, for the audit log. */
  details?: string
}

/** Changes one entitlement for the company, puts it on record, and tells apps. */
export async function changeOne(
  tx: Tx,
  author: Author,
  ref: string,
  { action, change, details }: Deed,
  now: Date,
): Promise<Written<EntitlementState>> {
  const { companyId } = author
  const { entitlement: before, language } = await lockEntitlement(tx, { companyId, customerId: null }, ref)
  const after: Owned = { entitlement: change(before), language }
  await saveEntitlements(tx, companyId, [after], now)
  const subject = `${before.title} of customer ${before.customer_token} (${before.id})`
  await recordChange(tx, author, action, details === undefined ? subject : `${subject}, ${details}`, now)
  await emit(tx, companyId, 'entitlement/update', now, [
    { type: 'entitlement', id: String(before.id), token: before.customer_token },
  ])
  const document = wholeDocument(before, storedDocument(after.entitlement, language, now))
  return { state: after.entitlement, document }
}

/** The company takes an entitlement back. */
export function revokeEntitlement(tx: Tx, author: Author, ref: string, now: Date): Promise<Written<EntitlementState>> {
  const change = (before: EntitlementState) => (before.revoked === null ? revoke(before, 'owner', now) : before)
  return changeOne(tx, author, ref, { action: 'content revoked', change }, now)
}

/** Gives back an entitlement that was revoked, with the uses that are left. */
export function restoreEntitlement(tx: Tx, author: Author, ref: string, now: Date): Promise<Written<EntitlementState>> {
  const change = (before: EntitlementState) => {
    if (owesOwner(before)) throw restoreOwesOwner()
    return restore(before, now)
  }
  return changeOne(tx, author, ref, { action: 'content restored', change }, now)
}
