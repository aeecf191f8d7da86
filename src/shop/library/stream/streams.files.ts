import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { CompanyTime, MachineClock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Files } from '#platform/files/files.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { takeContentKey } from '#rights/content-keys/commands.ts'
import { createKeyCache } from '#rights/content-keys/keys.cache.ts'
import { keyIdOf, segmentIv, segmentKey } from '#rights/content-keys/keys.secrets.ts'
import type { LicensedKey } from '#rights/drm-licenses/state.ts'
import { readQuestion } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { keySubject } from '#rights/packing/rules.ts'
import { askForKey, type KeyDecision } from '#rights/playbacks/commands.ts'
import { type OpenedSegment, openSegment } from '#rights/playbacks/encrypt.files.ts'
import { createFilmCache, type Film } from '#rights/playbacks/films.cache.ts'
import { type LanguageName, mainPlaylist, trackPlaylist } from '#rights/playbacks/playlists.present.ts'
import { findPlayback } from '#rights/playbacks/queries.ts'
import { encryptedBytes, periodOf } from '#rights/playbacks/rules.ts'
import type { PlaybackState, PlayedVersion } from '#rights/playbacks/state.ts'
import { shopPageNotFound } from '#shop/site/errors.ts'
import { clientTimeIn } from '../player/rules.ts'
import { mayPlayHd } from './rules.ts'

/** Pages of a shop act without an app. */
const NO_APP = 0

type Options = {
  db: Db
  vault: Vault
  files: Files
  now: CompanyTime
  clock: MachineClock
  change: <Result>(work: (tx: Tx) => Promise<Result>) => Promise<Result>
}

/** Whose request it is, and what its address names. */
export type Address = { session: CustomerSession; entitlement: string; playback: string }

type TrackRef = { version: number; track: string }

export type SentSegment = OpenedSegment & { bytes: number }

/** Why there is no key. Without HD, players go on in SD. */
export type Stopped = Exclude<KeyDecision, { kind: 'given' | 'unknown' }> | { kind: 'no hd' }

type KeyRef = { version: number; period: number }

/** A key that the rights engine allows, for a license of commercial DRM. */
export type GivenKey = { kind: 'given'; licensed: LicensedKey; entitlement: EntitlementState }

/** What is sent of the films that are being played. What does not belong to the session of the request is not found. */
export function createStreams({ db, vault, files, now, clock, change }: Options) {
  const films = createFilmCache(db)
  const keys = createKeyCache()

  const contentKey = ({ company_id, packed_id }: PlayedVersion) =>
    keys.take(company_id, keySubject(packed_id), () =>
      change((tx) => takeContentKey(tx, vault, company_id, keySubject(packed_id), now(company_id))),
    )

  function versionIn({ versions }: PlaybackState, index: number): PlayedVersion {
    const version = versions[index]
    if (version === undefined) throw shopPageNotFound()
    return version
  }

  async function trackIn(playback: PlaybackState, { version, track }: TrackRef): Promise<Film[number]> {
    const film = await films.read(versionIn(playback, version))
    const found = film.find(({ track: { id } }) => id === track)
    if (found === undefined) throw shopPageNotFound()
    return found
  }

  async function take({ session, entitlement, playback }: Address, { version, period }: KeyRef, clientTime: string) {
    const ask = (device: string) => readQuestion({ action: 'play', device, ...clientTimeIn(clientTime) }, NO_APP)
    const decision = await change((tx) => {
      const times = { now: now(session.companyId), machineNow: clock.now() }
      return askForKey(tx, { player: session, entitlement, playback }, ask, times)
    })
    if (decision.kind === 'unknown') throw shopPageNotFound()
    if (decision.kind !== 'given') return decision
    const played = versionIn(decision.playback, version)
    if (played.quality === 'hd' && !mayPlayHd(decision.entitlement)) return { kind: 'no hd' } as const
    return { ...decision, played, key: segmentKey(await contentKey(played), decision.playback.id, period) }
  }

  return {
    /** A playback, which may be over: then nothing of it is sent. */
    async find({ session, entitlement, playback }: Address): Promise<PlaybackState> {
      const found = await findPlayback(db, session, entitlement, playback)
      if (found === undefined) throw shopPageNotFound()
      return found
    },

    async readMain({ versions }: PlaybackState, nameOf: LanguageName): Promise<string> {
      const listed = await Promise.all(
        versions.map(async (version) => ({ quality: version.quality, tracks: [...(await films.read(version))] })),
      )
      return mainPlaylist(listed, nameOf)
    },

    async readTrack(playback: PlaybackState, ref: TrackRef): Promise<string> {
      const { track, segments } = await trackIn(playback, ref)
      return trackPlaylist(ref.version, track, segments, (number) => segmentIv(track.id, number))
    },

    async readInit(playback: PlaybackState, ref: TrackRef): Promise<Buffer> {
      const { track } = await trackIn(playback, ref)
      return Buffer.from(track.init, 'base64')
    },

    async openSegment(playback: PlaybackState, ref: TrackRef & { number: number }): Promise<SentSegment> {
      const { track, segments } = await trackIn(playback, ref)
      const segment = segments[ref.number]
      if (segment === undefined) throw shopPageNotFound()
      const key = segmentKey(await contentKey(versionIn(playback, ref.version)), playback.id, periodOf(segment))
      const opened = await openSegment(files, segment, key, segmentIv(track.id, ref.number))
      return { ...opened, bytes: encryptedBytes(segment) }
    },

    /** Asks the rights engine for a key. The answer is the key, or the decision that refuses it. */
    async takeKey(address: Address, ref: KeyRef, clientTime: string): Promise<Buffer | Stopped> {
      const taken = await take(address, ref, clientTime)
      return taken.kind === 'given' ? taken.key : taken
    },

    /** takeKey for a license of commercial DRM. */
    async takeLicensed(address: Address, ref: KeyRef, clientTime: string): Promise<GivenKey | Stopped> {
      const taken = await take(address, ref, clientTime)
      if (taken.kind !== 'given') return taken
      const { key, entitlement, playback, played } = taken
      const { quality, company_id, file_id } = played
      const id = keyIdOf(playback.id, ref.version, ref.period)
      const licensed = { id, key, quality, companyId: company_id, fileId: file_id, device: playback.device_id }
      return { kind: 'given', licensed, entitlement }
    },
  }
}

export type Streams = ReturnType<typeof createStreams>
