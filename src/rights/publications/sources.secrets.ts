import { hash } from 'node:crypto'
import type { PublicationSource } from './state.ts'

/** A hash of everything that is encrypted. The title is inside of all but an EPUB, which has its own. */
export function sourceOf({ kind, title, parts }: PublicationSource): string {
  const named = kind === 'epub' ? '' : title
  return hash('sha256', JSON.stringify([kind, named, ...parts.map(({ sha256, name }) => [sha256, name])]))
}
