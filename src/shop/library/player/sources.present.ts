import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import type { Download } from '#rights/content-files/schema.ts'

/**
 * From what a file is played: today from the file itself, by parts of it. This is the one place that decides it, so that
 * encrypted segments can become another kind.
 */
export type Source = { kind: 'file'; url: string; content_type: string }

/** The source of a file whose address was given out. Files are served on every host, so the path is enough. */
export function sourceOf({ url, file }: Download): Source {
  return { kind: 'file', url: url.replace(OWN_ADDRESS, ''), content_type: file.content_type }
}
