import { randomUUID } from 'node:crypto'
import { signFile } from '#identity/signing-keys/commands.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Vault } from '#platform/identity/vault.ts'
import type { Written } from '#platform/wire/written.ts'
import { useEntitlement } from '../commands.ts'
import { lockEntitlement, type Viewer } from '../queries.ts'
import { type Question, rightsOf } from '../rules.ts'
import type { EntitlementState } from '../state.ts'
import { presentAnswer, presentClaims } from './present.ts'
import { fileEnd } from './rules.ts'

/** The type of the signed file, so that nothing else that the service signs passes for one. */
const FILE_TYPE = 'license+jwt'

/**
 * Issues a file with which a device plays without a connection, if the question, which is whether it may play, is answered
 * with yes. The device holds the content until the file ends, and the time from first use begins.
 */
export async function issueLicenseFile(
  tx: Tx,
  vault: Vault,
  viewer: Viewer,
  ref: string,
  question: Question,
  issuer: string,
  now: Date,
): Promise<Written<EntitlementState>> {
  const { entitlement: before } = await lockEntitlement(tx, viewer, ref, question.device ?? '')
  const end = fileEnd(rightsOf(before), now)
  const { code, entitlement, document } = await useEntitlement(tx, viewer, ref, question, now, { holdUntil: end })
  if (code !== 'allowed') return { state: entitlement, document: presentAnswer(document, null) }
  const claims = presentClaims(entitlement, { issuer, id: randomUUID(), device: question.device, end }, now)
  const signed = await signFile(tx, vault, { type: FILE_TYPE, claims, end }, now)
  return { state: entitlement, document: presentAnswer(document, { ...signed, end }) }
}
