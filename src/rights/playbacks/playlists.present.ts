import type { PackedTrack } from '#rights/packing/state.ts'
import { type Encryption, MARKS, periodOf, type WholeMethod } from './rules.ts'
import type { TimedSegment } from './state.ts'

/** A version of a film with the segments of its tracks. */
export type ListedVersion = {
  quality: 'hd' | 'sd'
  tracks: { track: PackedTrack; segments: readonly TimedSegment[] }[]
}

/** The name of a language in the language of the reader. */
export type LanguageName = (code: string) => string

/** The list of what can be played: versions of the pictures, and languages of the sound. */
export function mainPlaylist(versions: readonly ListedVersion[], nameOf: LanguageName, encryption: Encryption): string {
  const mark = MARKS[encryption]
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-INDEPENDENT-SEGMENTS']
  const streams: string[] = []
  for (const [index, { tracks }] of versions.entries()) {
    const [first] = tracks
    const sounds = tracks.filter(({ track }) => track.kind === 'audio')
    if (first === undefined) continue
    const isFilm = first.track.kind === 'video'
    if (isFilm)
      lines.push(
        ...sounds.map((sound, at) =>
          mediaLine(`${index}-${sound.track.id}${mark}.m3u8`, index, sound.track, at === 0, nameOf),
        ),
      )
    const played = isFilm ? [first, ...sounds.slice(0, 1)] : [first]
    const peak = played.reduce((sum, { segments }) => sum + peakOf(segments), 0)
    const { width, height } = first.track
    streams.push(
      `#EXT-X-STREAM-INF:${[
        `BANDWIDTH=${Math.ceil(peak)}`,
        `CODECS="${played.map(({ track }) => track.codecs).join(',')}"`,
        ...(width === null || height === null ? [] : [`RESOLUTION=${width}x${height}`]),
        ...(isFilm && sounds.length > 0 ? [`AUDIO="sound-${index}"`] : []),
      ].join(',')}`,
      `${index}-${first.track.id}${mark}.m3u8`,
    )
  }
  return [...lines, ...streams, ''].join('\n')
}

function mediaLine(uri: string, version: number, track: PackedTrack, isDefault: boolean, nameOf: LanguageName): string {
  const name = quoted(track.language === '' ? track.name || track.id : nameOf(track.language))
  return `#EXT-X-MEDIA:${[
    'TYPE=AUDIO',
    `GROUP-ID="sound-${version}"`,
    `NAME="${name}"`,
    ...(track.language === '' ? [] : [`LANGUAGE="${quoted(track.language)}"`]),
    `DEFAULT=${isDefault ? 'YES' : 'NO'}`,
    'AUTOSELECT=YES',
    `URI="${uri}"`,
  ].join(',')}`
}

/** Nothing in a name ends the quotation or the line. */
function quoted(text: string): string {
  return text.replace(/["\p{Cc}]/gu, ' ').trim()
}

/** The largest rate of a segment, in bits per second. */
function peakOf(segments: readonly TimedSegment[]): number {
  return segments.reduce((most, { bytes, seconds }) => Math.max(most, (8 * bytes) / seconds), 1)
}

/**
 * What a player asks for before the first picture, by name: the lists of the first version and of the sound beside it, and how their
 * tracks begin. Who asks for it at once does not wait for each list to find out what comes next.
 */
export function firstNames([first, ...others]: readonly PackedTrack[], encryption: Encryption): string[] {
  if (first === undefined) return []
  const mark = MARKS[encryption]
  const sound = first.kind === 'video' ? others.filter(({ kind }) => kind === 'audio').slice(0, 1) : []
  const ofTrack = ({ id, format }: PackedTrack) => {
    const init = encryption === 'cbcs' ? `0-${id}${mark}-0-init.mp4` : `0-${id}-init.mp4`
    return [`0-${id}${mark}.m3u8`, ...(format === 'mp4' ? [init] : []), `0-${id}${mark}-0.${endingOf(format)}`]
  }
  const key = encryption === 'cbcs' ? [] : [`0-0${mark}.key`]
  return [`main${mark}.m3u8`, ...key, ...[first, ...sound].flatMap(ofTrack)]
}

const endingOf = (format: PackedTrack['format']) => (format === 'mp4' ? 'm4s' : 'mp3')

/** The list of the segments of a track, each with its key. */
export function trackPlaylist(
  { version, method }: { version: number; method: WholeMethod },
  track: PackedTrack,
  segments: readonly TimedSegment[],
  ivOf: (number: number) => Buffer,
): string {
  const mark = MARKS[method]
  // What comes before the first key is not encrypted.
  const start = track.format === 'mp4' ? [mapLine(`${version}-${track.id}-init.mp4`)] : []
  const lines = segments.flatMap((segment, number) => [
    `#EXT-X-KEY:METHOD=${method},URI="${version}-${periodOf(segment)}${mark}.key",IV=0x${ivOf(number).toString('hex')}`,
    lengthLine(segment),
    `${version}-${track.id}${mark}-${number}.${endingOf(track.format)}`,
  ])
  return listOf(segments, start.concat(lines))
}

/**
 * The list of the segments of a track whose samples are encrypted. The beginning of a track names its key, so each key has a
 * beginning of its own.
 */
export function samplesPlaylist(
  version: number,
  track: PackedTrack,
  segments: readonly TimedSegment[],
  keyIdOf: (period: number) => Buffer,
): string {
  const name = `${version}-${track.id}-cbcs`
  const lines = segments.flatMap((segment, number) => {
    const period = periodOf(segment)
    const before = segments[number - 1]
    const id = keyIdOf(period).toString('hex')
    const key = [
      `#EXT-X-KEY:METHOD=SAMPLE-AES,URI="${version}-${period}.key",KEYFORMAT="org.w3.clearkey",KEYFORMATVERSIONS="1",KEYID=0x${id}`,
      mapLine(`${name}-${period}-init.mp4`),
    ]
    const isNew = before === undefined || periodOf(before) !== period
    return (isNew ? key : []).concat(lengthLine(segment), `${name}-${number}.m4s`)
  })
  return listOf(segments, lines)
}

const mapLine = (uri: string) => `#EXT-X-MAP:URI="${uri}"`
const lengthLine = ({ seconds }: TimedSegment) => `#EXTINF:${seconds.toFixed(5)},`

function listOf(segments: readonly TimedSegment[], lines: readonly string[]): string {
  const longest = segments.reduce((most, { seconds }) => Math.max(most, seconds), 1)
  const head = [
    '#EXTM3U',
    '#EXT-X-VERSION:7',
    `#EXT-X-TARGETDURATION:${Math.ceil(longest)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
  ]
  return head.concat(lines, '#EXT-X-ENDLIST', '').join('\n')
}
