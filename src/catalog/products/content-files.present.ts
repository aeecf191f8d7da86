import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import { contentTypeOf, isFree } from './content-files.facts.ts'
import type { Product } from './schema.ts'
import type { ProductFile } from './state.ts'

/** The path of a file for those who may fetch it. The name at the end is for people: only the ids count. */
export function filePath({ company_id, id, name }: { company_id: number; id: number; name: string }): string {
  return `/files/${company_id}/${id}/${encodeURIComponent(name.toWellFormed())}`
}

/** A content file as its product shows it. What needs no purchase is fetched without a token. */
export function presentContentFile(company_id: number, file: ProductFile): Product['content_files'][number] {
  const { id, name, role, language } = file
  const path = isFree(role) ? filePath({ company_id, id, name }) : `/api/files/${id}/download`
  return {
    id,
    name,
    role,
    language,
    valid: file.status === 'ready' ? 1 : 0,
    content_type: contentTypeOf(role),
    mime_type: file.content_type ?? '',
    size: file.size ?? 0,
    download_url: `${OWN_ADDRESS}${path}`,
  }
}
