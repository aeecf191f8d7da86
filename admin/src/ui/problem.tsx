import { ConnectionError, LicetError, NotFoundError } from '@licet/client'
import { t } from '../words/words.ts'
import { Button } from './button.tsx'

/** What went wrong, in words for people. The service's own sentences are written for them. */
export function problemText(error: unknown): string {
  if (error instanceof ConnectionError) return t('problem.offline')
  if (error instanceof NotFoundError) return t('problem.gone')
  if (error instanceof LicetError) return error.message
  return t('problem.unknown')
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
