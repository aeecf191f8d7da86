import { LANGUAGES } from '../settings/languages.ts'
import type { Span } from '../ui/lists/pages.ts'
import { spanIn } from '../ui/lists/pages.ts'
import { oneIn } from '../ui/lists/views.ts'
import { KINDS, type Kind } from './kinds.ts'

export const STATES = ['all', 'sent', 'failed', 'waiting', 'kept'] as const
export type State = Exclude<(typeof STATES)[number], 'all'>

/** The confirmation of orders needs no name in the address. */
export type TextsSearch = { kind?: Kind; language?: string }

export function readTextsSearch(search: Record<string, unknown>): TextsSearch {
  const [kind, language] = [oneIn(KINDS, search.kind), oneIn(LANGUAGES, search.language)]
  return {
    ...(kind === undefined || kind === 'order_confirmation' ? {} : { kind }),
    ...(language === undefined ? {} : { language }),
  }
}

export type LogSearch = Span & { state?: State; mail?: number }

export function readLogSearch(search: Record<string, unknown>): LogSearch {
  const state = oneIn(STATES, search.state)
  const mail = Number(search.mail)
  return {
    ...(state === undefined || state === 'all' ? {} : { state }),
    ...(Number.isSafeInteger(mail) && mail > 0 ? { mail } : {}),
    ...spanIn(search),
  }
}
