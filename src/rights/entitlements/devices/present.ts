import { wireTime } from '#platform/wire/times.ts'
import type { Device } from './schema.ts'
import type { DeviceState } from './state.ts'

export function presentDevice({ id, device_id, name, created_at, last_seen_at }: DeviceState): Device {
  return { id, device_id, name, created_at: wireTime(created_at), last_seen_at: wireTime(last_seen_at) }
}
