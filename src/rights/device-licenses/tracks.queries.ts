import type { Db } from '#platform/db/database.ts'
import { findPackedFile, readParts } from '#rights/packing/queries.ts'
import type { Film } from '#rights/playbacks/films.cache.ts'
import { timelineOf } from '#rights/playbacks/rules.ts'

/** The tracks of a packed file; undefined if it is gone. */
export async function readFilm(db: Db, companyId: number, packedId: number): Promise<Film | undefined> {
  const [file, parts] = await Promise.all([findPackedFile(db, companyId, packedId), readParts(db, companyId, packedId)])
  if (file?.state !== 'ready') return undefined
  return file.tracks?.map((track) => ({ track, segments: timelineOf(parts, track.id) }))
}
