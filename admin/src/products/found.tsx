import { TextField } from '../ui/fields.tsx'
import { Card } from '../ui/page.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Text } from './draft.ts'

type FoundProps = {
  texts: readonly Text[]
  change: (place: number, part: Partial<Text>) => void
  domain: string
}

const plain = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.textContent.trim()
const SHOWN = 155

/** What search engines and shared links show, language by language. */
export function Found({ texts, change, domain }: FoundProps) {
  return (
    <Card title={t('products.found')}>
      <div className="card-body stack">
        {texts.map(({ language_id, title, description, seo_title, seo_description }, place) => (
          <fieldset key={language_id} className="stack">
            <legend className="strong">{languageName(language_id)}</legend>
            <div className="snippet">
              <span className="muted cut">{domain}</span>
              <span className="strong cut">{seo_title || title}</span>
              <span className="muted">{(seo_description || plain(description)).slice(0, SHOWN)}</span>
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
        ))}
      </div>
    </Card>
  )
}
