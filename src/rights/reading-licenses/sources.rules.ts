import { filesOf } from '#rights/content-files/access.rules.ts'
import type { FileOfPurchase, Grant } from '#rights/content-files/state.ts'
import type { Part, PublicationSource } from '#rights/publications/state.ts'
import { notForReadingApps } from './errors.ts'

/** What a customer opens in a reading app: the file that stands for it, and everything that is encrypted together. */
export type Chosen = { file: FileOfPurchase; source: PublicationSource }

/** The files of a purchase that reading apps open; the tracks of a recording are one. */
export function protectedFiles(grant: Grant): FileOfPurchase[] {
  const files = filesOf(grant).filter(({ protection }) => protection !== null && protection !== 'stream')
  const [firstTrack] = files.filter(isTrack)
  return files.filter((file) => !isTrack(file) || file === firstTrack)
}

const isTrack = ({ protection }: FileOfPurchase) => protection === 'audiobook'

/** The publication of a file, or the first one. */
export function choosePublication(grant: Grant, fileId: number | null | undefined): Chosen {
  const files = protectedFiles(grant)
  const file = fileId === undefined || fileId === null ? files[0] : files.find(({ id }) => id === fileId)
  if (file === undefined || file.protection === null || file.protection === 'stream') throw notForReadingApps()
  const parts = isTrack(file) ? filesOf(grant).filter((each) => isTrack(each) && each.role === file.role) : [file]
  const { company_id, protection: kind } = file
  return { file, source: { company_id, kind, title: grant.entitlement.title, parts: parts.map(partOf) } }
}

function partOf({ key, sha256, name, content_type, size, duration }: FileOfPurchase): Part {
  return { key, sha256, name, content_type, size, duration }
}
