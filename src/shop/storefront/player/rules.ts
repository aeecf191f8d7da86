import { parseTime } from '#platform/wire/times.ts'
import type { FileOfPurchase } from '#rights/content-files/state.ts'
import type { Refusal } from '#rights/entitlements/rights/rules.ts'

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
  if (role === 'subtitles' || role === 'trailer' || role === 'preview') return undefined
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

/** The page on which a customer can do something about a refusal, and the key of the text of its link. */
export function remedyFor(code: Refusal, productKey: number): { path: string; text: string } {
  if (code === 'device_limit' || code === 'annual_device_limit')
    return { path: '/account/devices', text: 'player.remedies.devices' }
  if (code === 'expired') return { path: `/products/${productKey}`, text: 'player.remedies.again' }
  if (code === 'order_not_confirmed') return { path: '/account/orders', text: 'player.remedies.orders' }
  return { path: '/my-content', text: 'player.remedies.content' }
}

/** The time of the device in a form. What is no time says as little as a form without one. */
export function clientTimeIn(text: string): { client_time?: string } {
  return parseTime(text) === undefined ? {} : { client_time: text }
}

const SECONDS_MAX = 10_000_000

/** A number of seconds from a form. Players send fractions, and positions of broken files are not numbers. */
function readSeconds(text: string): number {
  const seconds = Math.floor(Number(text))
  return seconds > 0 && seconds <= SECONDS_MAX ? seconds : 0
}

/** How much is behind the customer, from 0 to 1; a length that is not known counts as nothing. */
function fractionOf(seconds: number, duration: number): number {
  return duration <= 0 ? 0 : Math.min(1, seconds / duration)
}

/** The place that a page tells: in a book by a name for it and how much is read, in a film by the seconds. */
export function readPlace(told: { seconds: string; duration: string; place: string; fraction: string }) {
  if (told.place !== '') {
    const fraction = Number(told.fraction)
    return { seconds: 0, place: told.place.replaceAll('\0', ''), fraction: fraction > 0 ? Math.min(1, fraction) : 0 }
  }
  const seconds = readSeconds(told.seconds)
  return { seconds, place: '', fraction: fractionOf(seconds, readSeconds(told.duration)) }
}

/** Where to go on: near the end it begins again. */
export function resumeAt({ seconds, fraction }: { seconds: number; fraction: number }, finished: number): number {
  return fraction >= finished ? 0 : seconds
}
