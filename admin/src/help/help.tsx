import { NEWS } from 'virtual:news'
import { useEffect } from 'react'
import { ButtonLink } from '../ui/button.tsx'
import { TERMS } from '../ui/help.tsx'
import { Card, Page } from '../ui/page.tsx'
import { t } from '../words/words.ts'
import { noteSeen } from './seen.ts'

/** What only whoever runs the service can do. Home leads here. */
const RUNNING = ['mails', 'disk_full', 'certificate_ending', 'jobs_given_up'] as const

/** Every hard word of the admin interface, in a sentence or two, and what is new in it. */
export function HelpPage() {
  useEffect(noteSeen, [])
  return (
    <Page
      title={t('help.title')}
      about={t('help.about')}
      actions={
        <ButtonLink to="/tour" search={{ again: true }}>
          {t('tour.start')}
        </ButtonLink>
      }
    >
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
        <Card title={t('help.running')} aside={t('help.running_about')}>
          <dl className="card-body help-words">
            {RUNNING.map((subject) => (
              <div key={subject} id={subject}>
                <dt className="strong">{t(`help.run.${subject}`)}</dt>
                <dd>{t(`help.run_texts.${subject}`)}</dd>
              </div>
            ))}
          </dl>
        </Card>
        {NEWS.length > 0 && (
          <Card title={t('help.news')} aside={t('help.news_about')}>
            {/* The changelog is written in English. */}
            <ul className="card-body help-news" lang="en">
              {NEWS.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          </Card>
        )}
        <p>
          {t('help.for_programs')} <a href="/docs">{t('menu.docs')}</a>
        </p>
      </div>
    </Page>
  )
}
