import './groups.css'
import { LANGUAGES } from '../settings/languages.ts'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextArea, TextField } from '../ui/forms/fields.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'

/** What a group or a plan is called in one language, and what it says. */
export type Text = { language_id: string; title: string; description: string }

type TextsProps = { texts: readonly Text[]; set: (texts: readonly Text[]) => void; errorAt: ErrorAt }

/** The texts in other languages, one below the other. */
export function Texts({ texts, set, errorAt }: TextsProps) {
  const others = LANGUAGES.filter((each) => !texts.some(({ language_id }) => language_id === each))
  const change = (place: number, part: Partial<Text>) =>
    set(texts.map((text, each) => (each === place ? { ...text, ...part } : text)))
  return (
    <div className="stack">
      {texts.map((text, place) => {
        const language = languageName(text.language_id)
        return (
          <fieldset key={text.language_id} className="stack language-texts">
            <legend>
              <span className="strong">{language}</span>
              <Button
                look="plain"
                icon="close"
                aria-label={t('products.remove_language', { language })}
                onClick={() => set(texts.toSpliced(place, 1))}
              />
            </legend>
            <TextField
              label={t('groups.title_in', { language })}
              value={text.title}
              onValue={(title) => change(place, { title })}
              error={errorAt(`locales[${place}].title`)}
              maxLength={100}
            />
            <TextArea
              label={t('products.description_in', { language })}
              value={text.description}
              onValue={(description) => change(place, { description })}
              error={errorAt(`locales[${place}].description`)}
              maxLength={2000}
            />
          </fieldset>
        )
      })}
      {others.length > 0 && (
        <select
          className="input"
          aria-label={t('products.add_language')}
          value=""
          onChange={({ target }) => set([...texts, { language_id: target.value, title: '', description: '' }])}
        >
          <option value="">{t('products.add_language')}</option>
          {others.map((each) => (
            <option key={each} value={each}>
              {languageName(each)}
            </option>
          ))}
        </select>
      )}
    </div>
  )
}
