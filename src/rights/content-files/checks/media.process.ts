import { stat } from 'node:fs/promises'
import { type IFormat, parseFile } from 'music-metadata'
import { isShorterThanSaid, isUnplayed } from './rules.ts'
import { type Checked, type FileFault, NOT_CHECKED } from './state.ts'

/** Everything that reads films and music from outside. It runs in a process of its own; see checker.process.ts. */

export async function checkMedia(path: string, contentType: string): Promise<Checked> {
  const { size } = await stat(path)
  try {
    const { format } = await parseFile(path, { duration: true, skipCovers: true })
    return { ...detailsOf(format), fault: faultOf(format, contentType, size) }
  } catch (error) {
    return { ...NOT_CHECKED, fault: isUnplayed(contentType, []) ? 'not_playable' : causeOf(error) }
  }
}

function detailsOf({ duration, trackInfo }: IFormat): Checked {
  const picture = trackInfo.map(({ video }) => video).find((video) => video !== undefined)
  // A silent film says how long its pictures last.
  const seconds = duration ?? Math.max(0, ...trackInfo.map((track) => track.duration ?? 0))
  return {
    ...NOT_CHECKED,
    duration: seconds > 0 ? countOf(Math.max(1, seconds)) : null,
    width: countOf(picture?.pixelWidth),
    height: countOf(picture?.pixelHeight),
  }
}

const COUNT_MAX = 2_147_483_647

/** A number that is stored. Files from outside may say anything. */
function countOf(value: number | undefined): number | null {
  const count = Math.round(value ?? 0)
  return count > 0 && count <= COUNT_MAX ? count : null
}

function faultOf(format: IFormat, contentType: string, bytes: number): FileFault | null {
  const { trackInfo, duration, bitrate, codec, hasAudio, hasVideo } = format
  if (
    isUnplayed(
      contentType,
      trackInfo.map(({ codecId }) => codecId ?? ''),
    )
  )
    return 'not_playable'
  if (hasAudio !== true && hasVideo !== true && codec === undefined) return 'no_media'
  // Other formats say where they end.
  const isMp3 = contentType === 'audio/mpeg' && duration !== undefined && bitrate !== undefined
  return isMp3 && isShorterThanSaid(bytes, duration, bitrate) ? 'incomplete' : null
}

/** A file that was cut says of a part that it is longer than the rest of the file. */
function causeOf(error: unknown): FileFault {
  if (!(error instanceof Error)) return 'damaged'
  return error.name === 'EndOfStreamError' || /exceeds remaining|end-of-(stream|file)/i.test(error.message)
    ? 'incomplete'
    : 'damaged'
}
