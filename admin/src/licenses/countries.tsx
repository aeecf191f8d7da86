import { COUNTRIES } from '../settings/countries.gen.ts'
import { Icon } from '../ui/icons.tsx'
import { countryName } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { FieldsProps } from './fields.tsx'

/** All countries by their names, in the order of the alphabet. */
export function namedCountries(): { code: string; name: string }[] {
  return COUNTRIES.map((code) => ({ code, name: countryName(code) })).sort((one, other) =>
    one.name.localeCompare(other.name),
  )
}

/** Where it is sold: everywhere, or in some countries. */
export function Countries({ draft: { countries }, set, errorAt }: FieldsProps) {
  const others = namedCountries().filter(({ code }) => !countries.includes(code))
  const wrong = countries.map((_, place) => errorAt(`restriction_country[${place}].country_id`)).find(Boolean)
  return (
    <>
      <div className="in-line">
        {countries.map((code) => (
          <span key={code} className="filter-chip">
            {countryName(code)}
            <button
              type="button"
              aria-label={t('licenses.remove_country', { country: countryName(code) })}
              onClick={() => set({ countries: countries.filter((each) => each !== code) })}
            >
              <Icon name="close" size={14} />
            </button>
          </span>
        ))}
        <select
          className="input unit"
          aria-label={t('licenses.add_country')}
          value=""
          onChange={({ target }) => set({ countries: [...countries, target.value] })}
        >
          <option value="">{t('licenses.add_country')}</option>
          {others.map(({ code, name }) => (
            <option key={code} value={code}>
              {name}
            </option>
          ))}
        </select>
      </div>
      <p className="hint">{countries.length === 0 ? t('licenses.everywhere') : t('licenses.sale_only')}</p>
      {wrong !== undefined && <p className="hint wrong">{wrong}</p>}
    </>
  )
}
