import type { Db, Tx } from '#platform/db/database.ts'
import { prepare } from '#platform/db/prepared.ts'
import type { Allowance } from './rules.ts'
import type { PlaybackState } from './state.ts'

/** Every read of playbacks starts here, so none can forget the company. */
export function playbacksOf(db: Db, companyId: number) {
  return db.selectFrom('playbacks').where('playbacks.company_id', '=', companyId)
}

type Typed = Pick<PlaybackState, 'versions' | 'ended'>

const byId = prepare((db: Db, companyId: number, id: string) =>
  playbacksOf(db, companyId).selectAll().$narrowType<Typed>().where('playbacks.id', '=', id).compile(),
)

const lockedById = prepare((tx: Tx, companyId: number, id: string) =>
  playbacksOf(tx, companyId).selectAll().$narrowType<Typed>().where('playbacks.id', '=', id).forUpdate().compile(),
)

/** Whose session asks, for what they own. */
export type Player = { companyId: number; customerId: number; key: string }

const isOf = (playback: PlaybackState, { customerId, key }: Player, entitlement: string) =>
  playback.customer_id === customerId && playback.session_key === key && String(playback.entitlement_id) === entitlement

/** A playback of this session; one of another session, customer or entitlement is not found. */
export async function findPlayback(
  db: Db,
  player: Player,
  entitlement: string,
  id: string,
): Promise<PlaybackState | undefined> {
  const [playback] = await byId(db, player.companyId, id)
  return playback !== undefined && isOf(playback, player, entitlement) ? playback : undefined
}

/** findPlayback that holds the row until the transaction ends. */
export async function lockPlayback(
  tx: Tx,
  player: Player,
  entitlement: string,
  id: string,
): Promise<PlaybackState | undefined> {
  const [playback] = await lockedById(tx, player.companyId, id)
  return playback !== undefined && isOf(playback, player, entitlement) ? playback : undefined
}

const recentOf = prepare((tx: Tx, companyId: number, customerId: number, entitlementId: number, since: Date) =>
  playbacksOf(tx, companyId)
    .select(['playbacks.allowance', 'playbacks.allowance_at'])
    .where('playbacks.customer_id', '=', customerId)
    .where('playbacks.entitlement_id', '=', entitlementId)
    .where('playbacks.seen_at', '>=', since)
    .compile(),
)

/** How many keys the playbacks of a customer that asked for some since a time may still get. */
export function readRecent(
  tx: Tx,
  companyId: number,
  { customerId, entitlementId, since }: { customerId: number; entitlementId: number; since: Date },
): Promise<Allowance[]> {
  return recentOf(tx, companyId, customerId, entitlementId, since)
}
