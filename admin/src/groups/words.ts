import { nameIn } from '../licenses/names.ts'
import type { License } from '../products/queries.ts'
import type { Tone } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { Group } from './queries.ts'

export const KINDS = ['subscription', 'access', 'sharing'] as const satisfies readonly Group['kind'][]

export function stateOf({ valid }: Pick<Group, 'valid'>): { tone: Tone; text: string } {
  return valid ? { tone: 'ok', text: t('groups.open') } : { tone: 'draft', text: t('groups.closed') }
}

/** What members are bound to; empty as long as nobody knows the name. */
export function licenseOf({ license_id }: Group, licenses: readonly License[] | undefined): string {
  if (license_id === null) return t('groups.no_limits')
  return nameIn(licenses, license_id) ?? ''
}
