import './mails.css'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useSession } from '../session/session.ts'
import { LANGUAGES } from '../settings/languages.ts'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { Editor } from './editor.tsx'
import { GROUPS, type Group, KINDS, type Kind } from './kinds.ts'
import { MailsPage } from './parts.tsx'
import { mailKindsQuery, mailTextsQuery } from './queries.ts'

/** What customers read in emails: every kind, in every language. */
export function MailTextsScreen() {
  const { user } = useSession()
  const search = useSearch({ from: '/mails' })
  const kind = search.kind ?? 'order_confirmation'
  const own = user.language === 'de' ? 'de' : 'en'
  const language = search.language ?? own
  const texts = useQuery({ ...mailTextsQuery(kind, language), refetchOnWindowFocus: false })
  return (
    <MailsPage part="texts" about={t('mails.about')}>
      <div className="mail-columns">
        <Kinds kind={kind} language={language} />
        <div className="stack">
          {texts.data !== undefined ? (
            // It stays if a later read fails, with what was typed.
            <Editor key={`${kind} ${language}`} kind={kind} language={language} read={texts.data} />
          ) : texts.isError ? (
            <Problem error={texts.error} retry={() => void texts.refetch()} />
          ) : (
            <Card label={t('mails.parts.texts')}>
              <div className="card-body">
                <span className="skeleton" />
              </div>
            </Card>
          )}
        </div>
      </div>
    </MailsPage>
  )
}

type KindsProps = { kind: Kind; language: string }

/** All kinds, and in which languages they have texts of the owner. */
function Kinds({ kind: shown, language }: KindsProps) {
  const kinds = useQuery(mailKindsQuery).data
  const navigate = useNavigate({ from: '/mails' })
  const ownIn = (kind: Kind) =>
    kinds
      ?.find((each) => each.kind === kind)
      ?.languages.filter(({ own_texts, language: code }) => own_texts > 0 && LANGUAGES.includes(code))
      .map(({ language: code }) => code) ?? []
  return (
    <Card title={t('mails.all')}>
      <div className="card-body mail-kind">
        <select
          className="input"
          aria-label={t('mails.all')}
          value={shown}
          onChange={({ target }) => {
            const kind = KINDS.find((each) => each === target.value)
            if (kind !== undefined) void navigate({ search: { kind, language }, resetScroll: false })
          }}
        >
          {(Object.keys(GROUPS) as Group[]).map((group) => (
            <optgroup key={group} label={t(`mails.groups.${group}`)}>
              {GROUPS[group].map((kind) => (
                <option key={kind} value={kind}>
                  {t(`mails.kinds.${kind}`)}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </div>
      <nav aria-label={t('mails.all')} className="mail-kinds">
        {(Object.keys(GROUPS) as Group[]).map((group) => (
          <section key={group} aria-label={t(`mails.groups.${group}`)}>
            <h3 className="muted small">{t(`mails.groups.${group}`)}</h3>
            <ul>
              {GROUPS[group].map((kind) => (
                <li key={kind}>
                  <Link
                    to="/mails"
                    search={{ ...(kind === 'order_confirmation' ? {} : { kind }), language }}
                    aria-current={kind === shown ? 'page' : undefined}
                    activeProps={{}}
                    resetScroll={false}
                  >
                    <span className="grow">{t(`mails.kinds.${kind}`)}</span>
                    {ownIn(kind).length > 0 && (
                      <span className="muted small">
                        <span className="hidden">
                          {t('mails.own_in', { languages: ownIn(kind).map(languageName).join(', ') })}
                        </span>
                        <span aria-hidden="true">{ownIn(kind).join(', ').toUpperCase()}</span>
                      </span>
                    )}
                  </Link>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
    </Card>
  )
}
