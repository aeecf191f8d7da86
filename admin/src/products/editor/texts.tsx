import { Button } from '../../ui/button.tsx'
import type { ErrorAt } from '../../ui/forms/editing.tsx'
import { TextField } from '../../ui/forms/fields.tsx'
import { RichText } from '../../ui/forms/rich-text.tsx'
import { Card, Chip } from '../../ui/page.tsx'
import { languageName } from '../../words/format.ts'
import { t } from '../../words/words.ts'
import { type Draft, newText, type Text } from '../draft.ts'
import { missingIn } from './checklist.ts'

type TextsProps = {
  draft: Draft
  set: (part: Partial<Draft>) => void
  change: (place: number, part: Partial<Text>) => void
  errorAt: ErrorAt
}

/** The languages that shops speak. */
const LANGUAGES = ['en', 'de', 'fr', 'es', 'it', 'pt']
const FIELDS = 2

/** The language that the shop falls back to where another one has no text. */
export function mainLanguage(texts: readonly Text[]): string | undefined {
  return (texts.find(({ language_id }) => language_id === 'en') ?? texts[0])?.language_id
}

/** The texts of the product, its languages side by side. */
export function Texts({ draft, set, change, errorAt }: TextsProps) {
  const { texts } = draft
  const others = LANGUAGES.filter((each) => !texts.some(({ language_id }) => language_id === each))
  const main = mainLanguage(texts)
  return (
    <Card
      title={t('products.texts')}
      end={
        others.length > 0 && (
          <select
            className="input"
            aria-label={t('products.add_language')}
            value=""
            onChange={({ target }) => set({ texts: [...texts, newText(target.value)] })}
          >
            <option value="">{t('products.add_language')}</option>
            {others.map((each) => (
              <option key={each} value={each}>
                {languageName(each)}
              </option>
            ))}
          </select>
        )
      }
    >
      <div className="card-body stack">
        <TextField
          label={t('products.title')}
          hint={t('products.title_hint')}
          value={draft.title}
          onValue={(title) => set({ title })}
          error={errorAt('title')}
        />
        <div className="side-by-side">
          {texts.map((text, place) => (
            <fieldset key={text.language_id} className="stack" id={`text-${text.language_id}`}>
              <legend className="language">
                <span className="strong">{languageName(text.language_id)}</span>
                {text.language_id === main && <span className="muted small">{t('products.main_language')}</span>}
                <Missing text={text} />
                {texts.length > 1 && (
                  <Button
                    look="plain"
                    icon="close"
                    aria-label={t('products.remove_language', { language: languageName(text.language_id) })}
                    onClick={() => set({ texts: texts.toSpliced(place, 1) })}
                  />
                )}
              </legend>
              <TextField
                label={t('products.title_in', { language: languageName(text.language_id) })}
                value={text.title}
                onValue={(title) => change(place, { title })}
                error={errorAt(`locales[${place}].title`)}
              />
              <RichText
                label={t('products.description_in', { language: languageName(text.language_id) })}
                value={text.description}
                onValue={(description) => change(place, { description })}
                error={errorAt(`locales[${place}].description`)}
              />
            </fieldset>
          ))}
        </div>
      </div>
    </Card>
  )
}

function Missing({ text }: { text: Text }) {
  const missing = missingIn(text)
  return missing === 0 ? null : <Chip tone="part">{t('products.missing', { count: missing, of: FIELDS })}</Chip>
}
