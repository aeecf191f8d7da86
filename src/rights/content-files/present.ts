import { filePath } from '#catalog/products/content-files.present.ts'
import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import { wireTime } from '#platform/wire/times.ts'
import { PACKING_FAULTS } from '#rights/packing/faults.facts.ts'
import { packingOf } from '#rights/packing/rules.ts'
import type { PackingFacts } from '#rights/packing/state.ts'
import { FAULT_MESSAGES } from './checks/faults.facts.ts'
import type { FileFault } from './checks/state.ts'
import { isPublic, isReady } from './rules.ts'
import type { ContentFile, Download, IncludedFile } from './schema.ts'
import type { ReadyFile, ShownFile } from './state.ts'

export function presentFile(file: ShownFile): ContentFile {
  const ready = isReady(file)
  return {
    id: file.id,
    product_id: file.product_id,
    name: file.name,
    role: file.role,
    language: file.language,
    position: file.position,
    content_type: file.content_type,
    size: file.size,
    sha256: file.sha256,
    valid: ready,
    status: file.status,
    refusal: file.refusal,
    duration: file.duration,
    width: file.width,
    height: file.height,
    pages: file.pages,
    chapters: file.chapters,
    fault: file.fault === null ? null : presentFault(file.fault),
    packing: file.packing === null ? null : presentPacking(file.packing),
    created_at: wireTime(file.created_at),
    updated_at: wireTime(file.updated_at),
    download_url: ready ? `${OWN_ADDRESS}/api/files/${file.id}/download` : null,
    public_url: ready && isPublic(file) ? `${OWN_ADDRESS}${filePath(file)}` : null,
    upload_url: file.upload_id === null ? null : `${OWN_ADDRESS}/api/files/uploads/${file.upload_id}`,
  }
}

function presentPacking(facts: PackingFacts): NonNullable<ContentFile['packing']> {
  const { state, fault, codec, progress } = packingOf(facts)
  return {
    status: state,
    progress,
    fault: fault === null ? null : { reason: fault, codec, message: PACKING_FAULTS[fault] },
  }
}

function presentFault(reason: FileFault): NonNullable<ContentFile['fault']> {
  return { reason, message: FAULT_MESSAGES[reason] }
}

/** A file as the customer who bought it sees it. */
export function presentIncluded(file: ReadyFile): IncludedFile {
  const { id, name, role, language, content_type, size, sha256 } = file
  return { id, name, role, language, content_type, size, sha256 }
}

type Address = { companyId: number; entitlementId: number; customerId: number; expires: number }

/** The address of a file for one customer. It is bound to the company of the shop, which a mirrored file is not of. */
export function presentDownload(file: ReadyFile, address: Address, signature: string): Download {
  const { companyId, entitlementId, customerId, expires } = address
  const query = new URLSearchParams({
    entitlement: String(entitlementId),
    customer: String(customerId),
    expires: String(expires),
    signature,
  })
  return {
    url: `${OWN_ADDRESS}${filePath({ ...file, company_id: companyId })}?${query}`,
    expires_at: wireTime(new Date(expires * 1000)),
    file: presentIncluded(file),
  }
}
