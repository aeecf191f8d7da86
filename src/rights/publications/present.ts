import { wireTime } from '#platform/wire/times.ts'
import type { ProtectedPublication } from './schema.ts'
import type { ShownPublication } from './state.ts'

export function presentPublication({ state, updated_at, ...shown }: ShownPublication): ProtectedPublication {
  return { ...shown, status: state, updated_at: wireTime(updated_at) }
}
