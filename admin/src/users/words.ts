import type { Tone } from '../ui/page.tsx'
import { list } from '../words/format.ts'
import { t } from '../words/words.ts'
import { PERMISSIONS, presetOf } from './presets.ts'
import type { User } from './queries.ts'

export function nameOf({ first_name, last_name, email }: User): string {
  return [first_name, last_name].filter(Boolean).join(' ') || email
}

/** How somebody stands, in a word. */
export function stateOf({ state, valid }: User): { tone: Tone; text: string } {
  if (!valid) return { tone: 'wait', text: t('people.state.invited') }
  return state === 'enabled'
    ? { tone: 'ok', text: t('people.state.enabled') }
    : { tone: 'draft', text: t('people.state.disabled') }
}

/** What somebody may do, in one line. */
export function summaryOf({ permissions }: User): string {
  const preset = presetOf(permissions)
  if (preset !== undefined) return `${t(`people.presets.${preset}`)}. ${t(`people.presets_about.${preset}`)}`
  if (permissions.web_access !== 1) return t('people.nothing')
  const may = PERMISSIONS.filter((name) => name !== 'web_access').filter((name) => permissions[name] === 1)
  return may.length === 0 ? t('people.only_looks') : list(may.map((name) => t(`people.short.${name}`)))
}
