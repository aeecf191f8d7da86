import './codes.css'
import { useSession } from '../session/session.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import type { Code } from './queries.ts'
import { endOf } from './words.ts'

/** Codes on cards, to print and to cut. */
export function Sheet({ codes, close }: { codes: readonly Code[]; close: () => void }) {
  const { company } = useSession()
  return (
    <Page
      title={t('codes.sheet')}
      about={t('codes.sheet_about', { count: codes.length })}
      actions={
        <>
          <Button onClick={close}>{t('codes.back')}</Button>
          <Button look="primary" icon="file" onClick={() => print()}>
            {t('codes.print_now')}
          </Button>
        </>
      }
    >
      <ul className="sheet" aria-label={t('codes.sheet')}>
        {codes.map((code) => (
          <li key={code.id}>
            <span className="muted small">{company.company_name}</span>
            <span className="strong">{code.title}</span>
            <code>{code.code}</code>
            {code.expires_at !== null && <span className="small">{t('codes.until', { date: endOf(code) })}</span>}
          </li>
        ))}
      </ul>
    </Page>
  )
}
