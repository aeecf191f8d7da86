import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import type { Download } from '#rights/content-files/schema.ts'
import { firstNames } from '#rights/playbacks/playlists.present.ts'
import { type Encryption, MARKS } from '#rights/playbacks/rules.ts'
import type { Way } from '../stream/rules.ts'

/** From what something is played: from the file itself, by parts of it, or from encrypted segments. This is the one place that decides it. */
export type Source =
  | { kind: 'file'; url: string; content_type: string }
  /**
   * `files` are the content files of its versions, in their order, and `playback` is its id. `url` is for every player, `counter` for
   * one that decrypts with the browser's cryptography, and `apart` for browsers that decrypt apart from the page, where the license
   * asks for it.
   */
  | { kind: 'stream'; url: string; counter: List; apart: List | null; playback: string; files: number[] }

/** The list of a film, and what a player needs first, by addresses of which the list is one. */
type List = { url: string; first: string[] }

/** The source of a file whose address was given out. Files are served on every host, so the path is enough. */
export function sourceOf({ url, file }: Download): Source {
  return { kind: 'file', url: url.replace(OWN_ADDRESS, ''), content_type: file.content_type }
}

/** The source of a film that is played from encrypted segments. `place` is the beginning of its addresses. */
export function streamOf(
  place: string,
  playback: string,
  { versions, first, is_decrypted_apart }: Extract<Way, { kind: 'stream' }>,
): Source {
  const addressOf = (name: string) => `${place}/stream/${playback}/${name}`
  const mainOf = (encryption: Encryption) => addressOf(`main${MARKS[encryption]}.m3u8`)
  const listOf = (encryption: Encryption): List => ({
    url: mainOf(encryption),
    first: firstNames(first, encryption).map(addressOf),
  })
  return {
    kind: 'stream',
    url: mainOf('AES-128'),
    counter: listOf('AES-256-CTR'),
    apart: is_decrypted_apart ? listOf('cbcs') : null,
    playback,
    files: versions.map(({ file_id }) => file_id),
  }
}
