import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import type { Refusal, Use } from './schema.ts'
import type { UseState } from './state.ts'

export function presentUse(use: UseState): Use {
  return {
    id: use.id,
    created_at: wireTime(use.created_at),
    kind: use.kind,
    action: use.action,
    allowed: use.code === 'allowed',
    code: use.code,
    device: use.device_id,
    country: use.country,
    client_time: wireTimeOrNull(use.client_time),
    app_id: use.app_id,
  }
}

export function presentRefusal({ title, ...use }: UseState & { title: string }): Refusal {
  return { ...presentUse(use), entitlement_id: use.entitlement_id, title }
}
