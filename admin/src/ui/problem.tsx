import { ConnectionError, LicetError, NotFoundError } from '@licet/client'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'

/** What was typed is wrong, before anything is sent. By the path of a field, as the service would say it. */
export class FieldsError extends Error {
  readonly errors: Record<string, string[]>

  constructor(errors: Record<string, string[]>) {
    super('what was typed is wrong')
    this.errors = errors
  }
}

/** What went wrong, in words for people. The service's own sentences are written for them. */
export function problemText(error: unknown): string {
  if (error instanceof FieldsError) return t('problem.fields')
  if (error instanceof ConnectionError) return t('problem.offline')
  if (error instanceof NotFoundError) return t('problem.gone')
  if (error instanceof LicetError) return hasWords(error) ? t('problem.fields') : error.message
  return t('problem.unknown')
}

/** What any field can have wrong, which is said in the reader's language. */
const WORDS = { field_required: 'problem.required', field_blank: 'problem.required' } as const

const wordsFor = (reason: string) => Object.entries(WORDS).find(([known]) => known === reason)?.[1]

function hasWords({ fieldErrors }: LicetError): boolean {
  const all = Object.values(fieldErrors).flat()
  return all.length > 0 && all.every(({ reason }) => wordsFor(reason) !== undefined)
}

/** What is wrong with each field; by its path, in the order of the service. */
export function errorsOf(error: unknown): Record<string, string[]> {
  if (error instanceof FieldsError) return error.errors
  if (!(error instanceof LicetError)) return {}
  const said = Object.entries(error.errors).map(([path, messages]) => {
    const faults = error.fieldErrors[path]
    return [
      path,
      messages.map((message, place) => {
        const words = wordsFor(faults?.[place]?.reason ?? '')
        return words === undefined ? message : t(words)
      }),
    ]
  })
  return Object.fromEntries(said)
}

/** In place of what could not be read. */
export function Problem({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div className="notice bad" role="alert">
      <span className="grow">{problemText(error)}</span>
      <Button onClick={retry}>{t('problem.retry')}</Button>
    </div>
  )
}
