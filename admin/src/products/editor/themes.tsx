import { useQuery } from '@tanstack/react-query'
import { shopsQuery } from '../../shop/queries.ts'
import { Check } from '../../ui/forms/fields.tsx'
import { list } from '../../words/format.ts'
import { t } from '../../words/words.ts'

type ThemesProps = { chosen: readonly number[]; onChosen: (themes: number[]) => void; error: string | undefined }

/**
 * In which shops the product is shown, by the theme that they are made with. A company whose shops all have the same theme
 * has nothing to choose.
 */
export function Themes({ chosen, onChosen, error }: ThemesProps) {
  const shops = useQuery(shopsQuery).data ?? []
  const themes = new Map(chosen.map((id) => [id, { name: `#${id}`, domains: [] as string[] }]))
  for (const { theme_id, name, domain } of shops)
    themes.set(theme_id, { name, domains: [...(themes.get(theme_id)?.domains ?? []), domain].filter(Boolean) })
  if (themes.size < 2) return null
  const toggle = (id: number, isOn: boolean) => onChosen(isOn ? [...chosen, id] : chosen.filter((each) => each !== id))
  return (
    <fieldset>
      <legend className="muted small">{t('products.shops')}</legend>
      {[...themes].map(([id, { name, domains }]) => (
        <Check
          key={id}
          label={domains.length === 0 ? name : t('products.shops_of', { name, shops: list(domains) })}
          isOn={chosen.includes(id)}
          onChange={(isOn) => toggle(id, isOn)}
        />
      ))}
      <p className={error === undefined ? 'hint' : 'hint wrong'}>{error ?? t('products.shops_hint')}</p>
    </fieldset>
  )
}
