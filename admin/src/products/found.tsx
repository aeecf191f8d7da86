import { TextField } from '../ui/forms/fields.tsx'
import { Card } from '../ui/page.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { DraftPicture, Text } from './draft.ts'
import { Picture } from './pictures.tsx'

type FoundProps = {
  texts: readonly Text[]
  change: (place: number, part: Partial<Text>) => void
  domain: string
  picture: DraftPicture | undefined
}

const plain = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
const SHOWN = 155

/** What search engines and shared links show, language by language. */
export function Found({ texts, change, domain, picture }: FoundProps) {
  return (
    <Card title={t('products.found')}>
      <div className="card-body stack">
        {texts.map(({ language_id, title, description, seo_title, seo_description }, place) => {
          const shownTitle = seo_title || title
          const shownText = (seo_description || plain(description)).slice(0, SHOWN)
          return (
            <fieldset key={language_id} className="stack">
              <legend className="strong">{languageName(language_id)}</legend>
              <div className="side-by-side">
                <figure className="snippet">
                  <figcaption className="muted small">{t('products.in_search')}</figcaption>
                  <span className="muted cut">{domain}</span>
                  <span className="strong cut">{shownTitle}</span>
                  <span className="muted">{shownText}</span>
                </figure>
                <figure className="snippet social">
                  <figcaption className="muted small">{t('products.in_messages')}</figcaption>
                  <Picture src={picture?.src} isLarge />
                  <span className="strong cut">{shownTitle}</span>
                  <span className="muted cut">{shownText}</span>
                  <span className="muted small cut">{domain}</span>
                </figure>
              </div>
              <TextField
                label={t('products.seo_title', { language: languageName(language_id) })}
                value={seo_title}
                onValue={(text) => change(place, { seo_title: text })}
              />
              <TextField
                label={t('products.seo_description', { language: languageName(language_id) })}
                value={seo_description}
                onValue={(text) => change(place, { seo_description: text })}
                maxLength={1000}
              />
            </fieldset>
          )
        })}
      </div>
    </Card>
  )
}
