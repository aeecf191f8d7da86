import { wireTime } from '#platform/wire/times.ts'
import { kindOf } from './rules.ts'
import type { Group } from './schema.ts'
import type { CountedGroup } from './state.ts'

/** A group as the API shows it. It is presented when it is read, because people come and go. */
export function presentGroup(group: CountedGroup): Group {
  return {
    id: group.group_id,
    kind: kindOf(group.group_id),
    title: group.title,
    license_id: group.license_id,
    valid: group.valid,
    locales: group.locales.map(({ language, title, description }) => ({
      language_id: language,
      title,
      description,
    })),
    members: group.members,
    created_at: wireTime(group.created_at),
    updated_at: wireTime(group.updated_at),
  }
}
