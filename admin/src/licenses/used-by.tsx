import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Picture } from '../products/pictures.tsx'
import { type Price, pricesQuery } from '../products/queries.ts'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card } from '../ui/page.tsx'
import { Problem } from '../ui/problem.tsx'
import { money } from '../words/format.ts'
import { t } from '../words/words.ts'
import { productsUnderQuery } from './queries.ts'

const amountOf = (price: Price | undefined) => {
  const [first] = price?.currencies ?? []
  return first === undefined ? '' : money(first.price, first.currency.toUpperCase())
}

/** The products that are sold under a license, or for a price. */
export function UsedBy({ filter }: { filter: { license_id: number } | { price_id: number } }) {
  const used = useQuery(productsUnderQuery(filter))
  const prices = useQuery(pricesQuery).data
  const total = used.data?.total ?? 0
  return (
    <Card title={t('licenses.used_by', { count: total })}>
      {used.isError ? (
        <Problem error={used.error} retry={() => void used.refetch()} />
      ) : used.data === undefined ? (
        <WaitingRows count={2} />
      ) : (
        <ul className="rows">
          {used.data.rows.map(({ id, title, preview_pictures, price_license_binding: offers }) => (
            <li key={id}>
              <Picture src={preview_pictures[0]?.src} />
              <Link className="grow strong" to="/products/$id" params={{ id: String(id) }}>
                {title}
              </Link>
              <span className="figure">
                {offers
                  .filter((offer) => !('license_id' in filter) || offer.license_id === filter.license_id)
                  .map(({ price_id }) => amountOf(prices?.get(price_id ?? 0)))
                  .filter(Boolean)
                  .slice(0, 2)
                  .join(' · ')}
              </span>
            </li>
          ))}
        </ul>
      )}
      {total === 0 && used.data !== undefined && <p className="card-body muted">{t('licenses.used_by_none')}</p>}
      {total > (used.data?.rows.length ?? 0) && (
        <p className="card-body muted">
          {t('licenses.used_by_more', { count: total - (used.data?.rows.length ?? 0) })}
        </p>
      )}
    </Card>
  )
}
