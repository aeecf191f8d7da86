import { browserName } from '#identity/users/sessions/rules.ts'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { Tx } from '#platform/db/database.ts'
import { filesOf } from '#rights/content-files/access.rules.ts'
import { type TakenDownload, takePlayback } from '#rights/content-files/delivery/commands.ts'
import type { Signatures } from '#rights/content-files/delivery/signatures.secrets.ts'
import type { Grant } from '#rights/content-files/state.ts'
import { releaseDevice, type Used, useEntitlement } from '#rights/entitlements/commands.ts'
import { nameDevice } from '#rights/entitlements/devices/commands.ts'
import { type NewPosition, savePosition } from '#rights/entitlements/positions/commands.ts'
import { readQuestion } from '#rights/entitlements/rules.ts'
import { clientTimeIn } from './rules.ts'

/** Pages of a shop act without an app. */
const NO_APP = 0

/** Begins to play a file: asks the rights engine, which starts the time from first use, and gives out the address. */
export async function startPlaying(
  tx: Tx,
  signatures: Signatures,
  { companyId, customerId, orderIds }: CustomerSession,
  ref: string,
  { fileId, device, userAgent, clientTime }: { fileId: number; device: string; userAgent: string; clientTime: string },
  now: Date,
): Promise<TakenDownload> {
  const viewer = { companyId, customerId, orderIds, appId: NO_APP }
  const asked = { file_id: fileId, device, ...clientTimeIn(clientTime) }
  const taken = await takePlayback(tx, signatures, viewer, ref, asked, now)
  if (taken.download !== null) await nameDevice(tx, { companyId, customerId }, device, browserName(userAgent))
  return taken
}

/** Keeps the place of a browser that is still playing. A refusal tells the page to stop. */
export function keepPlaying(
  tx: Tx,
  { companyId, customerId, orderIds }: CustomerSession,
  ref: string,
  { device, clientTime }: { device: string; clientTime: string },
  now: Date,
): Promise<Used> {
  const question = readQuestion({ action: 'play', device, ...clientTimeIn(clientTime) }, NO_APP)
  return useEntitlement(tx, { companyId, customerId, orderIds }, ref, question, now, { isRecorded: false })
}

/** Frees the place of a browser whose page was closed, so that another device can play at once. */
export function stopPlaying(
  tx: Tx,
  { companyId, customerId, orderIds }: CustomerSession,
  ref: string,
  device: string,
  now: Date,
): Promise<void> {
  return releaseDevice(tx, { companyId, customerId, orderIds }, ref, device, now)
}

/** Remembers the place in a file that belongs to the customer; a place in any other file is nobody's business. */
export async function rememberPlace(
  tx: Tx,
  { companyId, customerId }: CustomerSession,
  grant: Grant,
  position: Omit<NewPosition, 'entitlement_id'>,
  now: Date,
): Promise<void> {
  if (!filesOf(grant).some(({ id }) => id === position.file_id)) return
  const place = { ...position, entitlement_id: grant.entitlement.id }
  await savePosition(tx, { companyId, customerId }, place, now)
}
