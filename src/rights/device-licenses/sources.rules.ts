import { filesOf } from '#rights/content-files/access.rules.ts'
import { fileNotIncluded } from '#rights/content-files/errors.ts'
import { chooseVersion, subtitlesOf, titlesOf } from '#rights/content-files/media.rules.ts'
import type { FileOfPurchase, Grant } from '#rights/content-files/state.ts'
import { notForDevices } from './errors.ts'

/** A film or recording that a device gets, with the subtitles of its title. */
export type Chosen = { file: FileOfPurchase; subtitles: FileOfPurchase[] }

/** The film or recording that is asked for; without a file it is the best version of the first title. */
export function chooseFilm(grant: Grant, fileId: number | null | undefined): Chosen {
  const files = filesOf(grant)
  const titles = titlesOf(files)
  const found = chooseVersion(titles, fileId ?? undefined)
  if (found !== undefined) return { file: found.version.file, subtitles: subtitlesOf(files, titles, found.title) }
  const isIncluded = typeof fileId !== 'number' || files.some(({ id }) => id === fileId)
  throw isIncluded ? notForDevices() : fileNotIncluded()
}
