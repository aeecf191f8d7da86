import { LANGUAGES } from '../settings/languages.ts'
import { Button } from '../ui/button.tsx'
import type { ErrorAt } from '../ui/forms/editing.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { RichText } from '../ui/forms/rich-text.tsx'
import { Card } from '../ui/page.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import { type Draft, newText, type Text } from './draft.ts'
import { CategoryPicture } from './picture.tsx'

type TextsProps = { draft: Draft; set: (part: Partial<Draft>) => void; errorAt: ErrorAt }

/** What customers read: the name, the text and the picture, its languages side by side. */
export function Texts({ draft, set, errorAt }: TextsProps) {
  const { texts } = draft
  const others = LANGUAGES.filter((each) => !texts.some(({ language }) => language === each))
  const change = (place: number, part: Partial<Text>) =>
    set({ texts: texts.map((text, each) => (each === place ? { ...text, ...part } : text)) })
  return (
    <Card
      title={t('categories.texts')}
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
      <div className="card-body">
        {texts.length === 0 && <p className="muted">{t('categories.no_texts', { title: draft.title })}</p>}
        <div className="side-by-side">
          {texts.map((text, place) => {
            const language = languageName(text.language)
            return (
              <fieldset key={text.language} className="stack">
                <legend className="language">
                  <span className="strong">{language}</span>
                  <Button
                    look="plain"
                    icon="close"
                    aria-label={t('products.remove_language', { language })}
                    onClick={() => set({ texts: texts.toSpliced(place, 1) })}
                  />
                </legend>
                <TextField
                  label={t('categories.title_in', { language })}
                  value={text.title}
                  onValue={(title) => change(place, { title })}
                  error={errorAt(`locales[${place}].title`)}
                />
                <RichText
                  label={t('products.description_in', { language })}
                  value={text.description}
                  onValue={(description) => change(place, { description })}
                  error={errorAt(`locales[${place}].description`)}
                />
                <CategoryPicture
                  label={t('categories.picture_in', { language })}
                  address={text.src}
                  onAddress={(src) => change(place, { src })}
                  error={errorAt(`locales[${place}].src`)}
                />
                <details>
                  <summary className="muted">{t('categories.search_engines')}</summary>
                  <div className="stack with-gap">
                    <TextField
                      label={t('categories.seo_title')}
                      value={text.seo_title}
                      onValue={(seo_title) => change(place, { seo_title })}
                      error={errorAt(`locales[${place}].seo_title`)}
                    />
                    <TextField
                      label={t('categories.seo_description')}
                      value={text.seo_description}
                      maxLength={1000}
                      onValue={(seo_description) => change(place, { seo_description })}
                      error={errorAt(`locales[${place}].seo_description`)}
                    />
                  </div>
                </details>
              </fieldset>
            )
          })}
        </div>
      </div>
    </Card>
  )
}
