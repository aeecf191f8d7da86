import type { Tx } from '#platform/db/database.ts'
import { asciiJson, readTime } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { getGrant } from '#rights/content-files/delivery/queries.ts'
import { releaseLicense, useEntitlement } from '#rights/entitlements/commands.ts'
import { fileEnd } from '#rights/entitlements/offline/rules.ts'
import { lockEntitlement, type Owned, type Viewer } from '#rights/entitlements/queries.ts'
import { readQuestion, rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { countUse, recordUse } from '#rights/entitlements/uses/commands.ts'
import { deviceKeyDiffers, deviceLicenseClosed } from './errors.ts'
import { type Asking, filmOf, type Issuer, makeLicense } from './issue.commands.ts'
import { presentAnswer, presentIssued, presentShown } from './present.ts'
import { getDeviceLicense, hasOtherKey } from './queries.ts'
import { closeLicense, saveClaims, savePlayedUntil } from './rows.commands.ts'
import { changesOf, newPlays } from './rules.ts'
import type { RefreshInput } from './schema.ts'
import type { DeviceLicense } from './state.ts'

/** Locks a license by its entitlement, so that two that want something of it wait for each other. */
async function lock(
  tx: Tx,
  viewer: Viewer,
  ref: string,
  licenseRef: string,
): Promise<{ owned: Owned; license: DeviceLicense }> {
  const owned = await lockEntitlement(tx, viewer, ref)
  return { owned, license: await getDeviceLicense(tx, owned.entitlement, licenseRef) }
}

/** Counts what a device has played without a connection, each play once, however often it is reported. */
async function countPlays(
  tx: Tx,
  entitlement: EntitlementState,
  license: DeviceLicense,
  reported: readonly string[],
  appId: number,
  now: Date,
): Promise<void> {
  const plays = newPlays(
    license,
    reported.map((text) => readTime(text)),
    now,
  )
  for (const time of plays) {
    await recordUse(tx, {
      company_id: license.company_id,
      entitlement_id: license.entitlement_id,
      kind: 'use',
      action: 'play',
      code: 'allowed',
      device_id: license.device_id,
      country: null,
      client_time: time,
      app_id: appId,
      created_at: time,
    })
    await countUse(tx, entitlement, 'play', time)
  }
  const last = Math.max(...plays.map((time) => time.getTime()))
  if (plays.length > 0) await savePlayedUntil(tx, license, new Date(last))
}

/**
 * Gives a device the same keys with a new end, if the customer may play it now. It counts no download, and the device holds the
 * content until the new end.
 */
export async function refreshDeviceLicense(
  tx: Tx,
  issuer: Issuer,
  viewer: Asking,
  { ref, license: licenseRef }: { ref: string; license: string },
  { client_time, plays = [] }: RefreshInput,
): Promise<Written<EntitlementState>> {
  const { now } = issuer
  const { owned, license } = await lock(tx, viewer, ref, licenseRef)
  const { entitlement: before } = owned
  if (license.closed_as !== null) throw deviceLicenseClosed(license.closed_as)
  const { device_id: device, thumbprint } = license
  if (await hasOtherKey(tx, before, { device, thumbprint }, now)) throw deviceKeyDiffers()
  const chosen = filmOf(await getGrant(tx, viewer, ref), license)
  await countPlays(tx, before, license, plays, viewer.appId, now)
  const end = fileEnd(rightsOf(before), now)
  const question = readQuestion({ action: 'play', device, client_time }, viewer.appId)
  const options = { holdUntil: end, license: license.uid, isRecorded: false }
  const { code, entitlement, document: decision } = await useEntitlement(tx, viewer, ref, question, now, options)
  if (code !== 'allowed') return { state: entitlement, document: presentAnswer(decision, null, []) }
  const made = await makeLicense(tx, issuer, entitlement, license, chosen, end)
  const stored = await saveClaims(tx, license, made.claims, end, now)
  const issued = presentIssued(stored, made, rightsOf(entitlement), now)
  const document = presentAnswer(decision, issued, changesOf(license.claims, made.claims))
  return { state: entitlement, document }
}

/** A device gives its license back: its place is free, and the app deletes what it has. Doing it again changes nothing. */
export async function returnDeviceLicense(
  tx: Tx,
  viewer: Asking,
  { ref, license: licenseRef }: { ref: string; license: string },
  plays: readonly string[],
  now: Date,
): Promise<Written<DeviceLicense>> {
  const { owned, license } = await lock(tx, viewer, ref, licenseRef)
  const { entitlement } = owned
  const present = (state: DeviceLicense) => ({
    state,
    document: asciiJson(presentShown(state, rightsOf(entitlement), now)),
  })
  if (license.closed_as !== null) return present(license)
  await countPlays(tx, entitlement, license, plays, viewer.appId, now)
  await releaseLicense(tx, owned, license.uid, now)
  return present(await closeLicense(tx, license, 'returned', now))
}
