import type { PublicationKind, PublicationState, ReadyPublication } from './state.ts'

/** What a publication is, for reading apps and for the names of files. */
export const FORMATS: Record<PublicationKind, { content_type: string; ending: string; licensePath: string }> = {
  epub: { content_type: 'application/epub+zip', ending: 'epub', licensePath: 'META-INF/license.lcpl' },
  pdf: { content_type: 'application/pdf+lcp', ending: 'lcpdf', licensePath: 'license.lcpl' },
  audiobook: { content_type: 'application/audiobook+lcp', ending: 'lcpa', licensePath: 'license.lcpl' },
}

export function isReady(publication: PublicationState): publication is ReadyPublication {
  return publication.state === 'ready'
}

/** Where a publication is stored, in a folder of its own. */
export function publicationFolder({ company_id, id }: { company_id: number; id: number }): string {
  return `publications/${company_id}/${id}`
}

const DAY_MS = 86_400_000

/** The reason may have been a worker that was short of memory, or one that was updated since. */
export function isTriedAgain({ state, updated_at }: PublicationState, now: Date): boolean {
  return state === 'failed' && now.getTime() - updated_at.getTime() >= DAY_MS
}

const TRIES_MAX = 2

/** Files that took too much memory or time are tried once more at once: something else may have ended the process. */
export function isTriedOnceMore({ isFinal }: { isFinal: boolean }, attempts: number): boolean {
  return !isFinal && attempts < TRIES_MAX
}
