import { queryOptions } from '@tanstack/react-query'
import { loadActions, loadScopes } from './words.ts'

const kept = { staleTime: Number.POSITIVE_INFINITY }

/** The words for the actions of the audit log, which are many and have a file of their own. */
export const actionWordsQuery = queryOptions({ queryKey: ['words', 'actions'], queryFn: loadActions, ...kept })

/** The words for what apps may use. */
export const scopeWordsQuery = queryOptions({ queryKey: ['words', 'scopes'], queryFn: loadScopes, ...kept })
