import { TERMS } from '../ui/help.tsx'
import { Card, Page } from '../ui/page.tsx'
import { t } from '../words/words.ts'

/** Every hard word of the admin interface, in a sentence or two. */
export function HelpPage() {
  return (
    <Page title={t('help.title')} about={t('help.about')}>
      <div className="stack">
        <Card title={t('help.words')}>
          <dl className="card-body help-words">
            {TERMS.map((term) => (
              <div key={term}>
                <dt className="strong">{t(`help.names.${term}`)}</dt>
                <dd>{t(`help.texts.${term}`)}</dd>
              </div>
            ))}
          </dl>
        </Card>
        <p>
          {t('help.for_programs')} <a href="/docs">{t('menu.docs')}</a>
        </p>
      </div>
    </Page>
  )
}
