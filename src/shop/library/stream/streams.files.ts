import { createCipheriv } from 'node:crypto'
import type { CustomerSession } from '#people/customers/sessions/state.ts'
import type { CompanyTime, MachineClock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import type { Files } from '#platform/files/files.ts'
import type { Vault } from '#platform/identity/vault.ts'
import { takeContentKey } from '#rights/content-keys/commands.ts'
import { createKeyCache } from '#rights/content-keys/keys.cache.ts'
import {
  counterKey,
  keyIdOf,
  readSampleKeyId,
  sampleIv,
  sampleKey,
  sampleKeyId,
  segmentCounter,
  segmentIv,
  segmentKey,
} from '#rights/content-keys/keys.secrets.ts'
import type { LicensedKey } from '#rights/drm-licenses/state.ts'
import { readQuestion } from '#rights/entitlements/rules.ts'
import type { EntitlementState } from '#rights/entitlements/state.ts'
import { keySubject } from '#rights/packing/rules.ts'
import { askForKey, type KeyDecision } from '#rights/playbacks/commands.ts'
import { type OpenedSegment, openSegment } from '#rights/playbacks/encrypt.files.ts'
import { createFilmCache, type Film } from '#rights/playbacks/films.cache.ts'
import { type LanguageName, mainPlaylist, samplesPlaylist, trackPlaylist } from '#rights/playbacks/playlists.present.ts'
import { findPlayback } from '#rights/playbacks/queries.ts'
import { type Encryption, encryptedBytes, periodOf, type WholeMethod } from '#rights/playbacks/rules.ts'
import { createSampleCipher } from '#rights/playbacks/samples/cipher.files.ts'
import { hasSamples, layoutOf, protectInit } from '#rights/playbacks/samples/init.rules.ts'
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

/** Segments whose samples are encrypted get longer by what says how. By how much is not known before they are read. */
export type SentSegment = OpenedSegment & { bytes: number | undefined }

/** A key as W3C Clear Key writes it. */
export type JsonKey = { kty: 'oct'; kid: string; k: string }

/** Why there is no key. Without HD, players go on in SD. */
export type Stopped = Exclude<KeyDecision, { kind: 'given' | 'unknown' }> | { kind: 'no hd' }

type KeyRef = { version: number; period: number }

/** How whole segments are encrypted, by the method. */
const METHODS = {
  'AES-128': { cipher: 'aes-128-cbc', keyOf: segmentKey, ivOf: segmentIv },
  'AES-256-CTR': { cipher: 'aes-256-ctr', keyOf: counterKey, ivOf: segmentCounter },
} as const satisfies Record<WholeMethod, object>

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

  /** A track whose samples are encrypted one by one. Others have no such segments. */
  async function samplesIn(playback: PlaybackState, ref: TrackRef): Promise<Film[number]> {
    const found = await trackIn(playback, ref)
    if (!hasSamples(found.track)) throw shopPageNotFound()
    return found
  }

  /** Asks the rights engine for a key of a version. The answer has what it is derived from, or the decision that refuses it. */
  async function take({ session, entitlement, playback }: Address, version: number, clientTime: string) {
    const ask = (device: string) => readQuestion({ action: 'play', device, ...clientTimeIn(clientTime) }, NO_APP)
    const decision = await change((tx) => {
      const times = { now: now(session.companyId), machineNow: clock.now() }
      return askForKey(tx, { player: session, entitlement, playback }, ask, times)
    })
    if (decision.kind === 'unknown') throw shopPageNotFound()
    if (decision.kind !== 'given') return decision
    const played = versionIn(decision.playback, version)
    if (played.quality === 'hd' && !mayPlayHd(decision.entitlement)) return { kind: 'no hd' } as const
    return { ...decision, played, content: await contentKey(played) }
  }

  return {
    /** A playback, which may be over: then nothing of it is sent. */
    async find({ session, entitlement, playback }: Address): Promise<PlaybackState> {
      const found = await findPlayback(db, session, entitlement, playback)
      if (found === undefined) throw shopPageNotFound()
      return found
    },

    async readMain({ versions }: PlaybackState, encryption: Encryption, nameOf: LanguageName): Promise<string> {
      const listed = await Promise.all(
        versions.map(async (version) => ({ quality: version.quality, tracks: [...(await films.read(version))] })),
      )
      return mainPlaylist(listed, nameOf, encryption)
    },

    async readTrack(
      playback: PlaybackState,
      { encryption, ...ref }: TrackRef & { encryption: Encryption },
    ): Promise<string> {
      const { version } = ref
      if (encryption === 'cbcs') {
        const { track, segments } = await samplesIn(playback, ref)
        return samplesPlaylist(version, track, segments, (period) => sampleKeyId(playback.id, version, period))
      }
      const { track, segments } = await trackIn(playback, ref)
      const { ivOf } = METHODS[encryption]
      return trackPlaylist({ version, method: encryption }, track, segments, (number) => ivOf(track.id, number))
    },

    async readInit(playback: PlaybackState, ref: TrackRef): Promise<Buffer> {
      const { track } = await trackIn(playback, ref)
      return Buffer.from(track.init, 'base64')
    },

    /** The beginning of a track whose samples are encrypted with the key of a period. */
    async readProtectedInit(playback: PlaybackState, ref: TrackRef & { period: number }): Promise<Buffer> {
      const { track } = await samplesIn(playback, ref)
      const keyId = sampleKeyId(playback.id, ref.version, ref.period)
      return protectInit(Buffer.from(track.init, 'base64'), keyId, sampleIv(track.id))
    },

    async openSegment(
      playback: PlaybackState,
      { encryption, number, ...ref }: TrackRef & { encryption: Encryption; number: number },
    ): Promise<SentSegment> {
      const { track, segments } = encryption === 'cbcs' ? await samplesIn(playback, ref) : await trackIn(playback, ref)
      const segment = segments[number]
      if (segment === undefined) throw shopPageNotFound()
      const content = await contentKey(versionIn(playback, ref.version))
      if (encryption === 'cbcs') {
        const key = sampleKey(content, playback.id, periodOf(segment))
        const layout = layoutOf(Buffer.from(track.init, 'base64'))
        const opened = await openSegment(files, segment, () => createSampleCipher(layout, key, sampleIv(track.id)))
        return { ...opened, bytes: undefined }
      }
      const { cipher, keyOf, ivOf } = METHODS[encryption]
      const key = keyOf(content, playback.id, periodOf(segment))
      const createCipher = () => createCipheriv(cipher, key, ivOf(track.id, number))
      return { ...(await openSegment(files, segment, createCipher)), bytes: encryptedBytes(segment, encryption) }
    },

    /** Asks the rights engine for a key. The answer is the key, or the decision that refuses it. */
    async takeKey(
      address: Address,
      { version, period, method }: KeyRef & { method: WholeMethod },
      clientTime: string,
    ): Promise<Buffer | Stopped> {
      const taken = await take(address, version, clientTime)
      return taken.kind === 'given' ? METHODS[method].keyOf(taken.content, address.playback, period) : taken
    },

    /** The keys of samples with these names, each decided by itself, or why one of them is refused. */
    async takeLicense(address: Address, ids: readonly string[], clientTime: string): Promise<JsonKey[] | Stopped> {
      const given: JsonKey[] = []
      for (const kid of ids) {
        const named = readSampleKeyId(address.playback, Buffer.from(kid, 'base64url'))
        if (named === undefined) throw shopPageNotFound()
        const taken = await take(address, named.version, clientTime)
        if (taken.kind !== 'given') return taken
        const key = sampleKey(taken.content, address.playback, named.period)
        given.push({ kty: 'oct', kid, k: key.toString('base64url') })
      }
      return given
    },

    /** takeKey for a license of commercial DRM. */
    async takeLicensed(address: Address, ref: KeyRef, clientTime: string): Promise<GivenKey | Stopped> {
      const taken = await take(address, ref.version, clientTime)
      if (taken.kind !== 'given') return taken
      const { content, entitlement, playback, played } = taken
      const key = segmentKey(content, playback.id, ref.period)
      const { quality, company_id, file_id } = played
      const id = keyIdOf(playback.id, ref.version, ref.period)
      const licensed = { id, key, quality, companyId: company_id, fileId: file_id, device: playback.device_id }
      return { kind: 'given', licensed, entitlement }
    },
  }
}

export type Streams = ReturnType<typeof createStreams>
