import '../products/products.css'
import { useNavigate } from '@tanstack/react-router'
import { LANGUAGES } from '../settings/languages.ts'
import { Button } from '../ui/button.tsx'
import { SaveBar, useEditing } from '../ui/forms/editing.tsx'
import { Card, Chip } from '../ui/page.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { isMain, type Kind } from './kinds.ts'
import { Preview } from './preview.tsx'
import { type MailText, type MailTexts, type TextChange, useSaveTexts } from './queries.ts'
import { MailTextField } from './text-field.tsx'

type Read = { mail_texts: MailTexts; etag: string }
/** The texts by their names, those of the service where the owner wrote none. */
type Draft = Readonly<Record<string, string>>

const draftOf = ({ mail_texts }: Read): Draft =>
  Object.fromEntries(mail_texts.texts.map(({ name, standard, text }) => [name, text ?? standard]))

/** What differs. The service knows which of its own texts came back. */
function changesIn(before: Draft, after: Draft): { texts?: TextChange[] } {
  const texts = Object.entries(after)
    .filter(([name, text]) => before[name] !== text)
    .map(([name, text]) => ({ name, text }))
  return texts.length === 0 ? {} : { texts }
}

/** The texts of one kind in one language, with what they can name, and how the mail looks. */
export function Editor({ kind, language, read }: { kind: Kind; language: string; read: Read }) {
  const navigate = useNavigate({ from: '/mails' })
  const { draft, changes, set, errorAt, submit, bar } = useEditing({
    read,
    draftOf,
    changesIn,
    save: useSaveTexts(kind, language),
    saidOf: () => t('mails.saved', { kind: t(`mails.kinds.${kind}`), language: languageName(language) }),
    choosing: ['kind', 'language'],
  })
  const { texts } = read.mail_texts
  const changed = changes.texts ?? []
  const [main, others] = [texts.filter(({ name }) => isMain(name)), texts.filter(({ name }) => !isMain(name))]
  const isOwn = ({ name, standard }: MailText) => draft[name] !== standard
  const fieldOf = (text: MailText) => (
    <MailTextField
      key={text.name}
      text={text}
      value={draft[text.name] ?? ''}
      onValue={(value) => set({ [text.name]: value })}
      error={errorAt(`texts[${changed.findIndex(({ name }) => name === text.name)}].text`)}
    />
  )
  return (
    <form className="stack" onSubmit={submit}>
      <Card
        title={t(`mails.kinds.${kind}`)}
        aside={
          texts.some(isOwn) ? <Chip tone="ok">{t('mails.own')}</Chip> : <Chip tone="draft">{t('mails.standard')}</Chip>
        }
        end={
          <select
            className="input"
            aria-label={t('mails.language')}
            value={language}
            onChange={({ target }) =>
              void navigate({ search: (search) => ({ ...search, language: target.value }), resetScroll: false })
            }
          >
            {LANGUAGES.map((each) => (
              <option key={each} value={each}>
                {languageName(each)}
              </option>
            ))}
          </select>
        }
      >
        <div className="card-body stack">
          {main.map(fieldOf)}
          {others.length > 0 && (
            <details open={main.length === 0 || others.some(({ name }) => errorIn(changed, name, errorAt))}>
              <summary className="muted">{t('mails.more', { count: others.length })}</summary>
              <div className="stack with-gap">{others.map(fieldOf)}</div>
            </details>
          )}
          {texts.some(isOwn) && (
            <div className="actions">
              <Button onClick={() => set(Object.fromEntries(texts.map(({ name, standard }) => [name, standard])))}>
                {t('mails.back_to_standard')}
              </Button>
            </div>
          )}
        </div>
      </Card>
      <Preview kind={kind} language={language} texts={changed} />
      <SaveBar {...bar} />
    </form>
  )
}

function errorIn(changed: readonly TextChange[], name: string, errorAt: (path: string) => string | undefined): boolean {
  const place = changed.findIndex((each) => each.name === name)
  return place >= 0 && errorAt(`texts[${place}].text`) !== undefined
}
