import type { AttentionItem } from './schema.ts'
import type { Found } from './state.ts'

export function presentAttention({ kind, count, subject, subjectId }: Found): AttentionItem {
  return { kind, count, subject: subject ?? null, subject_id: subjectId ?? null }
}
