import { wireTime } from '#platform/wire/times.ts'
import type { Event } from './schema.ts'
import type { LoggedEvent } from './state.ts'

export function presentEvent({ id, topic, data, created_at }: LoggedEvent): Event {
  return { id, topic, data, created_at: wireTime(created_at) }
}
