import { ChosenProducts } from '../products/picker.tsx'
import { TextField } from '../ui/forms/fields.tsx'
import { languageName } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Section } from './queries.ts'
import { titleIn, withTitle } from './titles.ts'

const PRODUCTS_MAX = 24

type EditProps = {
  section: Section
  language: string
  error: string | undefined
  onSection: (section: Section) => void
}

/** The title of a section, and the products that it shows. */
export function EditSection({ section, language, error, onSection }: EditProps) {
  const { kind, locales, product_ids } = section
  const isFull = product_ids.length >= (kind === 'hero' ? 1 : PRODUCTS_MAX)
  return (
    <div className="stack section-edit">
      {kind !== 'hero' && (
        <TextField
          label={t('shop_home.title', { language: languageName(language) })}
          hint={t(kind === 'category' ? 'shop_home.category_title_hint' : 'shop_home.title_hint')}
          value={titleIn(locales, language)}
          onValue={(title) => onSection({ ...section, locales: withTitle(locales, language, title) })}
          error={undefined}
        />
      )}
      {(kind === 'hero' || kind === 'products') && (
        <>
          {kind === 'hero' && product_ids.length === 0 && <p className="muted">{t('shop_home.newest_hero')}</p>}
          <ChosenProducts
            label={t('shop_home.chosen')}
            addLabel={isFull ? undefined : t('shop_home.choose')}
            ids={product_ids.map(String)}
            idOf={({ id }) => String(id)}
            onIds={(ids) => onSection({ ...section, product_ids: ids.map(Number) })}
            error={error}
          />
        </>
      )}
    </div>
  )
}
