import type { ErrorAt } from '../ui/forms/editing.tsx'
import { Segments } from '../ui/segments.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Draft, emptyTexts, type TextName } from './draft.ts'

/** The languages that shops speak. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt']

export type PartProps = {
  draft: Draft
  set: (part: Partial<Draft>) => void
  errorAt: ErrorAt
  language: string
  setLanguage: (language: string) => void
}

/** The texts in the language that is shown, how to change them, and what is wrong with one. */
export function textsIn({ draft, set, errorAt, language }: PartProps) {
  const place = draft.texts.findIndex(({ language_id }) => language_id === language)
  const texts = draft.texts[place] ?? emptyTexts(language)
  const write = (name: TextName) => (text: string) => {
    const written = { ...texts, [name]: text }
    set({ texts: place < 0 ? [...draft.texts, written] : draft.texts.with(place, written) })
  }
  // Only the languages that have changed are sent, so the service counts those.
  const wrong = (name: TextName) => draft.texts.map((_, each) => errorAt(`locales[${each}].${name}`)).find(Boolean)
  return { texts, write, wrong }
}

/** Chooses the language of the texts below. */
export function Languages({ draft, language, setLanguage }: PartProps) {
  const shown = [...new Set([...draft.texts.map(({ language_id }) => language_id), language])]
  const others = LANGUAGES.filter((each) => !shown.includes(each))
  return (
    <div className="languages">
      <Segments
        label={t('shop.language')}
        values={shown.map((value) => ({ value, title: languageName(value) }))}
        chosen={language}
        choose={setLanguage}
      />
      {others.length > 0 && (
        <select
          className="input"
          aria-label={t('shop.add_language')}
          value=""
          onChange={(event) => setLanguage(event.target.value)}
        >
          <option value="">{t('shop.add_language')}</option>
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
