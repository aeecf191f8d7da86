import { useQuery } from '@tanstack/react-query'
import { termsQuery } from '../products/editor/terms.ts'
import { Card } from '../ui/page.tsx'
import { countryName, list } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { LicenseInput } from './queries.ts'

const FILM = 1
const BY_NAME_MAX = 6

/** Where it is sold, in a sentence. */
export function whereOf({ restriction_country: countries = [] }: LicenseInput): string {
  if (countries.length === 0) return t('licenses.sold_everywhere')
  if (countries.length > BY_NAME_MAX) return t('licenses.sold_in_many', { count: countries.length })
  return t('licenses.sold_in', { countries: list(countries.map(({ country_id }) => countryName(country_id))) })
}

/** What the customer may do, in the sentences of the shop. They are said again with every change. */
export function Said({ license }: { license: LicenseInput | undefined }) {
  const { restriction_country: _countries, ...terms } = license ?? {}
  const said = useQuery(termsQuery(license === undefined ? undefined : terms, FILM, document.documentElement.lang)).data
  return (
    <Card label={t('licenses.said')}>
      <div className="card-body said-card" aria-live="polite">
        <p className="muted small">{t('licenses.said')}</p>
        {said === undefined ? (
          <span className="skeleton" />
        ) : (
          <p className="said-terms">
            {said.sentences.map((sentence) => (
              <span key={sentence}>{`${sentence} `}</span>
            ))}
            <span className="muted">{whereOf(license ?? {})}</span>
          </p>
        )}
      </div>
    </Card>
  )
}
