import { isFree } from '#catalog/products/content-files.facts.ts'
import type { FileOfPurchase } from './state.ts'

/** Something that can be played: a film, an episode or a track, in one or two versions. */
export type Title = {
  name: string
  language: string
  kind: 'video' | 'audio'
  is_extra: boolean
  /** The best version first. */
  versions: readonly Version[]
}

export type Version = { file: FileOfPurchase; quality: 'hd' | 'sd' }

/** How a file is played in a page; undefined for files that are read, installed or shown with a film. */
export function playedAs({
  content_type,
  role,
}: {
  content_type: string
  role: string
}): 'video' | 'audio' | undefined {
  if (role === 'subtitles' || isFree(role)) return undefined
  return mediaOf(content_type)
}

/** The element that plays a type of content; undefined if none does. */
export function mediaOf(content_type: string): 'video' | 'audio' | undefined {
  if (content_type.startsWith('video/') || content_type === 'application/mp4') return 'video'
  return content_type.startsWith('audio/') || content_type === 'application/ogg' ? 'audio' : undefined
}

/** The name of a file without its ending. */
export function stem(name: string): string {
  return name.replace(/\.[A-Za-z0-9]{1,5}$/, '')
}

/** The name of a file as people read it: without its ending, and with spaces between its words. */
export function readableName(name: string): string {
  const words = stem(name)
    .replace(/_+/g, ' ')
    .replace(/(?<=[\p{L}\d])-(?=[\p{L}\d])/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return words === '' ? name : words
}

/** The ending of a file in capitals, which says what it is; empty if it has none. */
export function formatOf(name: string): string {
  return (/\.([A-Za-z0-9]{1,5})$/.exec(name)?.[1] ?? '').toUpperCase()
}

/**
 * The titles among the files of a purchase, in the order of the shop owner. The first HD video and the first SD video of a
 * language are versions of one title, and so on; every sound file is a title of its own.
 */
export function titlesOf(files: readonly FileOfPurchase[]): Title[] {
  const titles: { title: Title; position: number }[] = []
  const add = (kind: Title['kind'], versions: readonly [Version, ...Version[]]) => {
    const { name, language, role, position } = versions[0].file
    const title = { name: stem(name), language, kind, is_extra: role === 'extra', versions }
    titles.push({ title, position: (role === 'extra' ? 1e9 : 0) + position })
  }
  const videos = files.filter((file) => playedAs(file) === 'video')
  for (const ofLanguage of Map.groupBy(videos, ({ language }) => language).values()) {
    const hd = ofLanguage.filter(({ role }) => role === 'main_hd')
    const sd = ofLanguage.filter(({ role }) => role === 'main_sd')
    hd.forEach((file, at) => {
      const other = sd[at]
      const best = { file, quality: 'hd' } as const
      add('video', other === undefined ? [best] : [best, { file: other, quality: 'sd' }])
    })
    for (const file of sd.slice(hd.length)) add('video', [{ file, quality: 'sd' }])
    for (const file of ofLanguage) if (file.role === 'extra') add('video', [{ file, quality: 'sd' }])
  }
  for (const file of files) if (playedAs(file) === 'audio') add('audio', [{ file, quality: 'sd' }])
  return titles.sort((a, b) => a.position - b.position).map(({ title }) => title)
}

/** The title and the version that a file is; without a file the first title in its best version. */
export function chooseVersion(
  titles: readonly Title[],
  fileId: number | undefined,
): { title: Title; version: Version } | undefined {
  for (const title of titles)
    for (const version of title.versions)
      if (fileId === undefined || version.file.id === fileId) return { title, version }
  return undefined
}

/** The subtitles of a title: those that are named after one of its files, or all if there is only one title. */
export function subtitlesOf(
  files: readonly FileOfPurchase[],
  titles: readonly Title[],
  title: Title,
): FileOfPurchase[] {
  const subtitles = files.filter(({ role }) => role === 'subtitles')
  const stems = title.versions.map(({ file }) => stem(file.name))
  const named = subtitles.filter(({ name }) => stems.some((start) => name.startsWith(`${start}.`)))
  const isAlone = titles.filter(({ kind, is_extra }) => kind === 'video' && !is_extra).length === 1
  return named.length > 0 || !isAlone || title.is_extra ? named : subtitles
}

/** How a file is read in a page; undefined for other files. */
export function readAs({ content_type, role }: { content_type: string; role: string }): 'pdf' | 'epub' | undefined {
  if (role === 'subtitles' || isFree(role)) return undefined
  if (content_type === 'application/pdf') return 'pdf'
  return content_type === 'application/epub+zip' ? 'epub' : undefined
}

/** The files of a purchase that can be read in a page, the best first. */
export function booksOf(files: readonly FileOfPurchase[]): FileOfPurchase[] {
  return files.filter((file) => readAs(file) !== undefined)
}
