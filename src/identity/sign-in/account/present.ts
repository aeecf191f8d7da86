import { browserParts } from '#identity/users/sessions/rules.ts'
import { wireTime } from '#platform/wire/times.ts'

type Listed = { browser: string; address: string; created_at: Date; seen_at: Date; isCurrent: boolean }

export function presentSession({ browser, address, created_at, seen_at, isCurrent }: Listed) {
  return {
    ...browserParts(browser),
    address,
    created_at: wireTime(created_at),
    seen_at: wireTime(seen_at),
    current: isCurrent,
  }
}
