import type { Tx } from '#platform/db/database.ts'
import { asciiJson } from '#platform/wire/times.ts'
import type { Written } from '#platform/wire/written.ts'
import { type Used, useEntitlement } from '#rights/entitlements/commands.ts'
import type { Viewer } from '#rights/entitlements/queries.ts'
import { readQuestion } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { assertGivenOut, decideAccess, filesOf } from '../access.rules.ts'
import { fileNotIncluded, nothingToDownload } from '../errors.ts'
import { presentDownload } from '../present.ts'
import type { Download, DownloadInput } from '../schema.ts'
import type { FileOfPurchase, Grant } from '../state.ts'
import { getGrant } from './queries.ts'
import { LIFETIME_SECONDS, type Signatures } from './signatures.secrets.ts'
import { sentVersion } from './stamped.queries.ts'

/** The file that is asked for, or the best one. */
export function chooseFile(grant: Grant, fileId: number | null | undefined): FileOfPurchase {
  const included = filesOf(grant)
  const isChosen = fileId !== undefined && fileId !== null
  const file = isChosen ? included.find(({ id }) => id === fileId) : included[0]
  if (file === undefined) throw isChosen ? fileNotIncluded() : nothingToDownload()
  return file
}

/** The decision of the rights engine, as it is presented, and the address if it allows the action. */
export type TakenDownload = { used: Used; download: Download | null }

type Asking = Viewer & { appId: number }

/**
 * Gives out the address of a file if the rights engine allows a download, and counts it: once for each address. A refusal
 * is an answer too, because it may have consequences that must be kept.
 */
export function takeDownload(
  tx: Tx,
  signatures: Signatures,
  viewer: Asking,
  ref: string,
  input: DownloadInput,
  now: Date,
): Promise<TakenDownload> {
  return takeAddress(tx, signatures, viewer, ref, { ...input, action: 'download' }, now)
}

/** Gives out the address of a file to a player or a reader in a page, if the rights engine lets the customer play it. */
export function takePlayback(
  tx: Tx,
  signatures: Signatures,
  viewer: Asking,
  ref: string,
  input: DownloadInput,
  now: Date,
): Promise<TakenDownload> {
  return takeAddress(tx, signatures, viewer, ref, { ...input, action: 'play' }, now)
}

async function takeAddress(
  tx: Tx,
  signatures: Signatures,
  viewer: Asking,
  ref: string,
  { file_id: fileId, ...asked }: DownloadInput & { action: 'download' | 'play' },
  now: Date,
): Promise<TakenDownload> {
  const grant = await getGrant(tx, viewer, ref)
  const file = chooseFile(grant, fileId)
  assertGivenOut(file, asked.action)
  const question = readQuestion(asked, viewer.appId)
  const used = await useEntitlement(tx, viewer, ref, question, now)
  const isGiven =
    used.code === 'allowed' &&
    decideAccess({ ...grant, entitlement: used.entitlement }, { kind: 'file', id: file.id }, now).kind === 'allowed'
  if (!isGiven) return { used, download: null }
  // A copy that is missing throws, which takes the count back.
  const sent = await sentVersion(tx, grant, file)
  const { company_id: companyId, id: entitlementId, customer_id: customerId } = used.entitlement
  const expires = Math.floor(now.getTime() / 1000) + LIFETIME_SECONDS
  const signed = { companyId, fileId: file.id, entitlementId, customerId, expires }
  return { used, download: presentDownload(sent, signed, signatures.sign(signed)) }
}

/** takeDownload for the API. */
export async function issueDownload(...request: Parameters<typeof takeDownload>): Promise<Written<EntitlementState>> {
  const { used, download } = await takeDownload(...request)
  return { state: used.entitlement, document: `{"decision":${used.document},"download":${asciiJson(download)}}` }
}
