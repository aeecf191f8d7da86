import { LRUCache } from 'lru-cache'
import type { Db } from '#platform/db/database.ts'
import { findPackedFile, readParts } from '#rights/packing/queries.ts'
import type { PackedTrack } from '#rights/packing/state.ts'
import { timelineOf } from './rules.ts'
import type { PlayedVersion, TimedSegment } from './state.ts'

/** The tracks of a packed file, with their segments. They never change. */
export type Film = readonly { track: PackedTrack; segments: TimedSegment[] }[]

const FILMS_MAX = 200
const KNOWN_MS = 10 * 60_000

/** Where the segments of films are. A film of two hours has thousands, which are read once and not for each of them. */
export function createFilmCache(db: Db) {
  const known = new LRUCache<string, Promise<Film>>({ max: FILMS_MAX, ttl: KNOWN_MS })

  async function read({ company_id, packed_id }: PlayedVersion): Promise<Film> {
    const [file, parts] = await Promise.all([
      findPackedFile(db, company_id, packed_id),
      readParts(db, company_id, packed_id),
    ])
    if (file?.state !== 'ready' || file.tracks === null) throw new Error(`the packed file ${packed_id} is gone`)
    return file.tracks.map((track) => ({ track, segments: timelineOf(parts, track.id) }))
  }

  return {
    read(version: PlayedVersion): Promise<Film> {
      const name = `${version.company_id} ${version.packed_id}`
      const before = known.get(name)
      if (before !== undefined) return before
      const film = read(version)
      known.set(name, film)
      film.catch(() => known.delete(name))
      return film
    },
  }
}

export type FilmCache = ReturnType<typeof createFilmCache>
