import { wireTime } from '#platform/wire/times.ts'
import type { FileFailure } from './schema.ts'
import type { FailedCopy } from './state.ts'

export function presentFailure(copy: FailedCopy): FileFailure {
  return {
    id: copy.id,
    file_id: copy.file_id,
    product_id: copy.product_id,
    entitlement_id: copy.entitlement_id,
    name: copy.name,
    reason: copy.reason ?? '',
    failed_at: wireTime(copy.updated_at),
  }
}
