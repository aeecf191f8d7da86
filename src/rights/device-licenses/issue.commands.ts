import { randomUUID } from 'node:crypto'
import { signFile } from '#identity/signing-keys/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import { FieldReport } from '#platform/errors/problem.ts'
import type { Vault } from '#platform/identity/vault.ts'
import type { Written } from '#platform/wire/written.ts'
import { getGrant } from '#rights/content-files/delivery/queries.ts'
import { fileBeingPrepared } from '#rights/content-files/errors.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { takeContentKey } from '#rights/content-keys/commands.ts'
import { useEntitlement } from '#rights/entitlements/commands.ts'
import { fileEnd } from '#rights/entitlements/offline/rules.ts'
import { lockEntitlement, type Viewer } from '#rights/entitlements/queries.ts'
import { decide } from '#rights/entitlements/rights/rules.ts'
import { askOf, readQuestion, rightsOf } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { findPackedOf } from '#rights/packing/queries.ts'
import { keySubject } from '#rights/packing/rules.ts'
import type { PackedFileState } from '#rights/packing/state.ts'
import { deviceKeyDiffers, notForDevices, publicKeyWrong } from './errors.ts'
import { isUsable, thumbprintOf, wrapKeys } from './keys.secrets.ts'
import { presentAnswer, presentDeviceClaims, presentIssued } from './present.ts'
import { findOpenLicense, hasOtherKey } from './queries.ts'
import { closeLicense, insertLicense, saveClaims } from './rows.commands.ts'
import type { DeviceLicenseInput } from './schema.ts'
import { type Chosen, chooseFilm } from './sources.rules.ts'
import type { DeviceClaims, DeviceLicense, DevicePublicKey } from './state.ts'
import { readFilm } from './tracks.queries.ts'
import { keyedTracks } from './tracks.secrets.ts'

/** The type of the signed license, so that nothing else that the service signs passes for one. */
const LICENSE_TYPE = 'device-license+jwt'

export type Asking = Viewer & { appId: number }

/** Where a license comes from: the address of the service, and the time of the company. */
export type Issuer = { vault: Vault; baseUrl: string; now: Date }

/** The key of a device with its thumbprint. Throws unless something can be encrypted for it. */
export async function readDeviceKey(input: DeviceLicenseInput['public_key']): Promise<DevicePublicKey> {
  const { kty, crv, x, y } = input
  const key: DevicePublicKey = { kty, crv, x, ...(y === undefined ? {} : { y }) }
  const isComplete = kty === 'OKP' ? crv === 'X25519' && y === undefined : crv === 'P-256' && y !== undefined
  if (isComplete && (await isUsable(key))) return key
  const report = new FieldReport()
  report.add('public_key', publicKeyWrong())
  report.throwIfAny()
  return key
}

/** What was packed of the film that is asked for. */
async function readPacked(tx: Tx, { file }: Chosen): Promise<PackedFileState> {
  const packed = await findPackedOf(tx, { company_id: file.company_id, source_key: file.key })
  if (packed?.state === 'pending') throw fileBeingPrepared(file.name)
  if (packed?.state !== 'ready') throw notForDevices()
  return packed
}

/**
 * Gives a device a license to play something without a connection, if the customer may play it and may download it. It counts as
 * a download, and the device holds the content until the license ends or is returned. Asking again with the same key gives the
 * same license with a new end, and counts nothing.
 */
export async function issueDeviceLicense(
  tx: Tx,
  { vault, baseUrl, now }: Issuer,
  viewer: Asking,
  ref: string,
  { device, public_key, file_id, ...input }: DeviceLicenseInput & { public_key: DevicePublicKey },
): Promise<Written<EntitlementState>> {
  // Whoever asks at the same time waits here.
  const asked = await lockEntitlement(tx, viewer, ref, device)
  const before = asked.entitlement
  const grant = await getGrant(tx, viewer, ref)
  const chosen = chooseFilm(grant, file_id)
  const packed = await readPacked(tx, chosen)
  const thumbprint = await thumbprintOf(public_key)
  if (await hasOtherKey(tx, before, { device, thumbprint }, now)) throw deviceKeyDiffers()
  const open = await findOpenLicense(tx, before, chosen.file.id, device)
  const held = open?.thumbprint === thumbprint && open.packed_id === packed.id ? open : undefined
  const question = readQuestion({ action: 'download', device, ...input }, viewer.appId)
  const rights = rightsOf(before)
  // What may not be played is not worth a download.
  const toPlay = { ...question, action: 'play' } as const
  const mayPlay = decide(rights, askOf(toPlay, asked.device), now) === 'allowed'
  const [uid, end] = [held?.uid ?? randomUUID(), fileEnd(rights, now)]
  const options = { holdUntil: end, license: uid, isRecorded: held === undefined }
  const wanted = mayPlay && held === undefined ? question : toPlay
  const { code, entitlement, document: decision } = await useEntitlement(tx, viewer, ref, wanted, now, options)
  if (code !== 'allowed') return { state: entitlement, document: presentAnswer(decision, null) }
  if (open !== undefined && held === undefined) await closeLicense(tx, open, 'replaced', now)
  const license = {
    company_id: before.company_id,
    entitlement_id: before.id,
    customer_id: before.customer_id,
    uid,
    device_id: device,
    public_key,
    thumbprint,
    file_id: chosen.file.id,
    file_name: chosen.file.name,
    packed_company_id: packed.company_id,
    packed_id: packed.id,
    ends_at: end,
    issued_at: now,
    refreshed_at: now,
  }
  const made = await makeLicense(tx, { vault, baseUrl, now }, entitlement, license, chosen, end)
  const stored =
    held === undefined
      ? await insertLicense(tx, { ...license, claims: made.claims })
      : await saveClaims(tx, held, made.claims, end, now)
  const issued = presentIssued(stored, made, rightsOf(entitlement), now)
  return { state: entitlement, document: presentAnswer(decision, issued) }
}

type Unclaimed = Pick<
  DeviceLicense,
  'uid' | 'device_id' | 'public_key' | 'thumbprint' | 'file_id' | 'packed_company_id' | 'packed_id'
>

/** Signs a license with the keys of its tracks, encrypted for the device. */
export async function makeLicense(
  tx: Tx,
  { vault, baseUrl, now }: Issuer,
  entitlement: EntitlementState,
  license: Unclaimed,
  { subtitles }: Chosen,
  end: Date,
): Promise<{ jws: string; kid: string; claims: DeviceClaims }> {
  const { packed_company_id, packed_id, public_key: publicKey, thumbprint } = license
  const film = await readFilm(tx, packed_company_id, packed_id)
  if (film === undefined) throw notForDevices()
  const contentKey = await takeContentKey(tx, vault, packed_company_id, keySubject(packed_id), now)
  const tracks = keyedTracks(contentKey, license.uid, film, subtitles)
  const claims = presentDeviceClaims(
    entitlement,
    license,
    { issuer: baseUrl, end, tracks: tracks.map(({ track }) => track) },
    now,
  )
  const keys = await wrapKeys({ publicKey, thumbprint }, new Map(tracks.map(({ track, key }) => [track.id, key])))
  const signed = await signFile(tx, vault, { type: LICENSE_TYPE, claims: { ...claims, keys }, end }, now)
  return { ...signed, claims }
}

/** The film of a license among the files of a purchase. */
export function filmOf(grant: Grant, { file_id }: Pick<DeviceLicense, 'file_id'>): Chosen {
  return chooseFilm(grant, file_id)
}
