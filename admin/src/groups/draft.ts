import type { Group, GroupChange } from './queries.ts'
import type { Text } from './texts.tsx'

export type GroupDraft = { title: string; license: number | null; valid: boolean; texts: readonly Text[] }

export function draftOf({ group }: { group: Group }): GroupDraft {
  return { title: group.title, license: group.license_id, valid: group.valid, texts: group.locales }
}

/** What differs, as the API takes it. Texts are sent as a whole, so that an error names their place on the screen. */
export function changesIn(before: GroupDraft, after: GroupDraft): GroupChange {
  return {
    ...(before.title === after.title ? {} : { title: after.title }),
    ...(before.license === after.license ? {} : { license_id: after.license }),
    ...(before.valid === after.valid ? {} : { valid: after.valid }),
    ...(JSON.stringify(before.texts) === JSON.stringify(after.texts) ? {} : { locales: [...after.texts] }),
  }
}
