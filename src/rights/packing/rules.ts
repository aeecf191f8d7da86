import type { PackedFileState, Packing, PackingFacts } from './state.ts'

/** Types of content that can be packed. Playlists are none: they name other files, which a packer must not open. */
const PACKED_TYPES =
  /^(video|audio|application)\/(mp4|x-m4v|x-m4a|quicktime|3gpp2?|(x-)?matroska|webm|ogg|opus|mpeg|aac|(x-)?flac|(x-)?wav|vnd\.wave|mp2t)$|^(video|audio|application)\/ogg;/

const NEVER_PACKED = new Set(['trailer', 'preview', 'trial', 'subtitles'])

/** Is it a film or a recording that is sold? Subtitles are texts, and what everybody may see is not protected. */
export function isPackable({ role, content_type }: { role: string; content_type: string | null }): boolean {
  return content_type !== null && !NEVER_PACKED.has(role) && PACKED_TYPES.test(content_type)
}

/** The folder of the packed parts; its name is used once, so bytes from an earlier packing are never mistaken for it. */
export function packedFolder({ company_id, id }: Pick<PackedFileState, 'company_id' | 'id'>): string {
  return `packed/${company_id}/${id}`
}

/** How much of it is packed, in percent. Only what is complete is at 100. */
export function progressOf({ state, duration, packed_seconds }: PackingFacts): number {
  if (state === 'ready') return 100
  return duration === null ? 0 : Math.min(99, Math.floor((100 * packed_seconds) / duration))
}

/** Did the machine end the packing, and not the file? Then the file is as protected as before. */
export function isUndecided({ state, fault }: Pick<PackingFacts, 'state' | 'fault'>): boolean {
  return state !== 'ready' && (fault === null || fault === 'too_complex')
}

export function packingOf(file: PackingFacts): Packing {
  return { state: file.state, fault: file.fault, codec: file.codec, progress: progressOf(file) }
}

/** The name of a source that is brought to the local disk. */
export function localName({ company_id, id }: Pick<PackedFileState, 'company_id' | 'id'>): string {
  return `packing-${company_id}-${id}`
}

/** Is it such a source, or the folder of a worker that packs one? */
export function isLocalName(name: string): boolean {
  return /^packing-\d+-\d+(-[0-9a-f]+)?$/.test(name)
}

/** What the key of a packed file is stored under. */
export function keySubject(packedId: number): string {
  return `packed/${packedId}`
}
