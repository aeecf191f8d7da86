import { findRecipient } from '#people/customers/queries.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Db } from '#platform/db/database.ts'
import type { Files } from '#platform/files/files.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { decideAccess } from '#rights/content-files/access.rules.ts'
import { getGrant } from '#rights/content-files/delivery/queries.ts'
import { createSignatures, type Signatures } from '#rights/content-files/delivery/signatures.secrets.ts'
import { accessEnded } from '#rights/content-files/errors.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { readPositions } from '#rights/entitlements/positions/queries.ts'
import type { Position } from '#rights/entitlements/positions/state.ts'
import type { OwnedPart, Reader } from '#shop/catalog-pages/cards.present.ts'
import { readParts } from '#shop/catalog-pages/parts.queries.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { SUBTITLES_BYTES_MAX, toWebVtt } from './subtitles.rules.ts'

/** One of the things that the customer owns, with its files; anything else is not found. */
export function getPlayed(db: Db, { companyId, customerId, orderIds }: CustomerSession, ref: string): Promise<Grant> {
  return getGrant(db, { companyId, customerId, orderIds }, ref)
}

/** The product that the customer owns, as the visitor reads it; undefined if it is gone. */
export async function findOwnedPart(
  db: Db,
  { companyId }: CustomerSession,
  { entitlement }: Grant,
  visit: Reader,
): Promise<OwnedPart | undefined> {
  const { product_id } = entitlement
  return (await readParts(db, companyId, [product_id], visit)).get(product_id)
}

export function readOwnPositions(
  db: Db,
  { companyId, customerId }: CustomerSession,
  { entitlement }: Grant,
): Promise<Position[]> {
  return readPositions(db, { companyId, customerId }, entitlement.id)
}

/** Who is named on the picture of a film: the buyer, where the shop wants it and the license has DRM; otherwise nobody. */
export async function readWatermark(
  db: Db,
  { player_watermark }: { player_watermark: boolean },
  { entitlement: { company_id, customer_id, customer_token, terms } }: Grant,
): Promise<string> {
  if (!player_watermark || terms.drm === 0) return ''
  return (await findRecipient(db, company_id, customer_id))?.email ?? customer_token
}

/** The addresses of files are signed as those of downloads: the same check delivers both. */
export function createPlayerSignatures(vault: Vault): Signatures {
  return createSignatures(vault)
}

/** Subtitles of a film that the customer may use now, as WebVTT. */
export async function readSubtitles(
  files: Files,
  grant: Grant,
  fileId: number | undefined,
  now: Date,
): Promise<string> {
  const verdict = decideAccess(grant, { kind: 'file', id: fileId ?? 0 }, now)
  if (verdict.kind === 'ended') throw accessEnded(verdict.reason)
  if (verdict.kind === 'not included') throw shopPageNotFound()
  const { role, size, key, id } = verdict.file
  if (role !== 'subtitles' || size > SUBTITLES_BYTES_MAX) throw shopPageNotFound()
  const bytes = await files.read(key)
  if (bytes === undefined) throw new Error(`the bytes of content file ${id} are missing`)
  return toWebVtt(bytes.toString('utf8'))
}
