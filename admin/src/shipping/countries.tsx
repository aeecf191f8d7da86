import { useQuery } from '@tanstack/react-query'
import { COUNTRIES } from '../settings/countries.gen.ts'
import { Picker } from '../ui/forms/picker.tsx'
import { Icon } from '../ui/icons.tsx'
import { countryName } from '../words/format.ts'
import { t } from '../words/words.ts'

type Country = { code: string; name: string }
const FOUND_MAX = 8

type CountriesProps = { chosen: readonly string[]; choose: (codes: string[]) => void; error: string | undefined }

/** The countries that goods are shipped to, each with a way to remove it. */
export function Countries({ chosen, choose, error }: CountriesProps) {
  const useFound = (words: string, isOpen: boolean) =>
    useQuery({
      queryKey: ['countries', words, chosen],
      queryFn: () => Promise.resolve(findCountries(words, chosen)),
      enabled: isOpen,
    })
  return (
    <div className="stack">
      {chosen.length === 0 ? (
        <p className="hint">{t('shipping.countries_hint')}</p>
      ) : (
        <ul className="country-chips" aria-label={t('shipping.countries')}>
          {chosen.map((code) => (
            <li key={code} className="filter-chip">
              {countryName(code)}
              <button
                type="button"
                aria-label={t('shipping.remove_country', { country: countryName(code) })}
                onClick={() => choose(chosen.filter((each) => each !== code))}
              >
                <Icon name="close" size={14} />
              </button>
            </li>
          ))}
        </ul>
      )}
      <Picker
        label={t('shipping.add_country')}
        placeholder={t('shipping.country_words')}
        foundLabel={t('shipping.countries_found')}
        none={t('shipping.no_country')}
        useFound={useFound}
        rowOf={({ code, name }) => ({ key: code, content: <span className="cut">{name}</span> })}
        choose={({ code }) => choose([...chosen, code])}
        error={error}
      />
    </div>
  )
}

/** Countries by the beginning of their names, then by any part of them. A code finds its country. */
function findCountries(words: string, chosen: readonly string[]): Country[] {
  const wanted = words.toLowerCase()
  const all = COUNTRIES.filter((code) => !chosen.includes(code)).map((code) => ({ code, name: countryName(code) }))
  const rank = ({ code, name }: Country) =>
    code.toLowerCase() === wanted ? 0 : name.toLowerCase().startsWith(wanted) ? 1 : 2
  return all
    .filter(({ code, name }) => `${name} ${code}`.toLowerCase().includes(wanted))
    .sort((one, other) => rank(one) - rank(other) || one.name.localeCompare(other.name))
    .slice(0, FOUND_MAX)
}
