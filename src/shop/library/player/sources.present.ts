import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import type { Download } from '#rights/content-files/schema.ts'
import type { PlayedVersion } from '#rights/playbacks/state.ts'

/** From what something is played: from the file itself, by parts of it, or from encrypted segments. This is the one place that decides it. */
export type Source =
  | { kind: 'file'; url: string; content_type: string }
  /**
   * `files` are the content files of its versions, in their order, and `playback` is its id. `apart` is the address for browsers
   * that decrypt apart from the page, where the license asks for it.
   */
  | { kind: 'stream'; url: string; apart: string | null; playback: string; files: number[] }

/** The source of a file whose address was given out. Files are served on every host, so the path is enough. */
export function sourceOf({ url, file }: Download): Source {
  return { kind: 'file', url: url.replace(OWN_ADDRESS, ''), content_type: file.content_type }
}

/** The source of a film that is played from encrypted segments. `place` is the beginning of its addresses. */
export function streamOf(
  place: string,
  playback: string,
  { versions, is_decrypted_apart }: { versions: readonly PlayedVersion[]; is_decrypted_apart: boolean },
): Source {
  const beginning = `${place}/stream/${playback}`
  return {
    kind: 'stream',
    url: `${beginning}/main.m3u8`,
    apart: is_decrypted_apart ? `${beginning}/main-cbcs.m3u8` : null,
    playback,
    files: versions.map(({ file_id }) => file_id),
  }
}
