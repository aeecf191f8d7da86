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
import { lockEntitlement } from '#rights/entitlements/queries.ts'
import { readQuestion } from '#rights/entitlements/rules.ts'
import { keepGoing, leavePlaybacks, startPlayback } from '#rights/playbacks/commands.ts'
import { STREAM_HOLD_MS } from '#rights/playbacks/rules.ts'
import type { PlayedVersion } from '#rights/playbacks/state.ts'
import type { Way } from '../stream/rules.ts'
import { clientTimeIn } from './rules.ts'
import { type Source, sourceOf, streamOf } from './sources.present.ts'

/** Pages of a shop act without an app. */
const NO_APP = 0

export type Asked = { fileId: number; device: string; userAgent: string; clientTime: string }

/** What the rights engine has said, if it was asked, and from what the title is played. */
export type Begun = { used: Used | undefined; source: Source | undefined }

/** Asks the rights engine, and begins in the way in which the title is played. `place` is the beginning of its addresses. */
export async function beginPlaying(
  tx: Tx,
  signatures: Signatures,
  session: CustomerSession,
  { ref, way, place }: { ref: string; way: Way; place: string },
  asked: Asked,
  { now, machineNow }: { now: Date; machineNow: Date },
): Promise<Begun> {
  if (way.kind === 'closed') return { used: undefined, source: undefined }
  if (way.kind === 'stream') {
    const { versions } = way
    const { used, playback } = await startStreaming(tx, session, ref, { ...asked, versions }, { now, machineNow })
    return { used, source: playback === null ? undefined : streamOf(place, playback, way) }
  }
  const { used, download } = await startPlaying(tx, signatures, session, ref, asked, now)
  return { used, source: download === null ? undefined : sourceOf(download) }
}

/** Begins to play a file: asks the rights engine, which starts the time from first use, and gives out the address. */
async function startPlaying(
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

/** Begins to play from encrypted segments: asks the rights engine as startPlaying does, and gives out no address of the file. */
async function startStreaming(
  tx: Tx,
  session: CustomerSession,
  ref: string,
  {
    versions,
    device,
    userAgent,
    clientTime,
  }: { versions: PlayedVersion[]; device: string; userAgent: string; clientTime: string },
  { now, machineNow }: { now: Date; machineNow: Date },
): Promise<{ used: Used; playback: string | null }> {
  const { companyId, customerId, orderIds, key } = session
  const question = readQuestion({ action: 'play', device, ...clientTimeIn(clientTime) }, NO_APP)
  const holdUntil = new Date(now.getTime() + STREAM_HOLD_MS)
  const used = await useEntitlement(tx, { companyId, customerId, orderIds }, ref, question, now, { holdUntil })
  if (used.code !== 'allowed') return { used, playback: null }
  const played = { entitlement_id: used.entitlement.id, device_id: device, versions }
  const playback = await startPlayback(tx, { companyId, customerId, key }, played, machineNow)
  await nameDevice(tx, { companyId, customerId }, device, browserName(userAgent))
  return { used, playback }
}

/** Keeps the place of a browser that plays from encrypted segments and needs no key yet; undefined if its playback is over. */
export async function keepStreaming(
  tx: Tx,
  session: CustomerSession,
  entitlement: string,
  { playback, clientTime }: { playback: string; clientTime: string },
  now: Date,
): Promise<Used | undefined> {
  const ask = (device: string) => readQuestion({ action: 'play', device, ...clientTimeIn(clientTime) }, NO_APP)
  const going = await keepGoing(tx, { player: session, entitlement, playback }, ask, now)
  return going.kind === 'going' ? going.used : undefined
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
export async function stopPlaying(
  tx: Tx,
  { companyId, customerId, orderIds }: CustomerSession,
  ref: string,
  { device, playback }: { device: string; playback: string },
  now: Date,
): Promise<void> {
  const viewer = { companyId, customerId, orderIds }
  const { entitlement } = await lockEntitlement(tx, viewer, ref)
  const isLeft = await leavePlaybacks(tx, { companyId }, { entitlementId: entitlement.id, device, playback })
  if (isLeft) await releaseDevice(tx, viewer, ref, device, now)
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
