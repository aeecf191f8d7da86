import type { FileOfPurchase } from '#rights/content-files/state.ts'
import type { PackedTrack } from '#rights/packing/state.ts'
import type { Film } from '#rights/playbacks/films.cache.ts'
import { trackEtag, trackKey } from './keys.secrets.ts'
import { bytesOf, piecesOf } from './rules.ts'
import type { LicensedTrack, Piece } from './state.ts'

/** A track with its bytes and the key that encrypts them for one license. */
export type KeyedTrack = { track: LicensedTrack; pieces: Piece[]; key: Buffer }

function typeOf({ kind, format }: PackedTrack): string {
  if (kind === 'video') return 'video/mp4'
  return format === 'mp3' ? 'audio/mpeg' : 'audio/mp4'
}

/** The tracks of a film for one license: those that were packed, and its subtitles. */
export function keyedTracks(
  contentKey: Buffer,
  license: string,
  film: Film,
  subtitles: readonly FileOfPurchase[],
): KeyedTrack[] {
  const keyed = (about: Omit<LicensedTrack, 'bytes' | 'etag'>, pieces: Piece[]): KeyedTrack => {
    const key = trackKey(contentKey, license, about.id)
    return { track: { ...about, bytes: bytesOf(pieces), etag: trackEtag(key) }, pieces, key }
  }
  const packed = film.map(({ track, segments }) => {
    const { id, kind, codecs, language, name, width, height } = track
    const about = { id, kind, content_type: typeOf(track), codecs, language, name, width, height }
    return keyed(about, piecesOf(track, segments))
  })
  const texts = subtitles.map(({ id, name, language, content_type, key, size }) => {
    const about = { id: `s${id}`, kind: 'subtitles', content_type, codecs: '', language, name } as const
    return keyed({ ...about, width: null, height: null }, [{ key, at: 0, bytes: size }])
  })
  return [...packed, ...texts]
}
