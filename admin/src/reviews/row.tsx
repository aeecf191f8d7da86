import { Link } from '@tanstack/react-router'
import { Button } from '../ui/button.tsx'
import type { Ticked } from '../ui/lists/bulk.ts'
import { shortTime } from '../words/format.ts'
import { t } from '../words/words.ts'
import type { Review, State } from './queries.ts'

type Row = {
  review: Review
  /** Undefined until it is known. */
  product: { id: number; title: string } | undefined
  ticked?: Ticked<Review>
  decide?: (review: Review, state: State) => void
}

const STARS = 5

/** A review, and what can be decided about it. */
export function ReviewRow({ review, product, ticked, decide }: Row) {
  const { id, stars, text, name, customer_token, created_at, state } = review
  const time = shortTime(created_at)
  const by = name === '' ? t('reviews.anonymous', { time }) : t('reviews.by', { name, time })
  return (
    <li>
      {ticked !== undefined && (
        <input
          type="checkbox"
          className="tick-box"
          aria-label={name === '' ? t('reviews.choose_anonymous') : t('reviews.choose', { name })}
          checked={ticked.isTicked(id)}
          onChange={() => ticked.tick(id)}
        />
      )}
      <div className="grow review">
        <p>
          <span className="review-stars" role="img" aria-label={t('reviews.stars', { count: stars })}>
            {'★'.repeat(stars)}
            {'☆'.repeat(STARS - stars)}
          </span>{' '}
          {product !== undefined && (
            <Link className="strong" to="/products/$id" params={{ id: String(product.id) }}>
              {product.title}
            </Link>
          )}
        </p>
        <p className="review-text">{text}</p>
        <p className="muted small">
          {by}{' '}
          {customer_token !== null && (
            <Link className="small" to="/customers/$token" params={{ token: customer_token }}>
              {t('reviews.customer')}
            </Link>
          )}
        </p>
      </div>
      {decide !== undefined && (
        <div className="row-actions">
          {state !== 'approved' && <Button onClick={() => decide(review, 'approved')}>{t('reviews.approve')}</Button>}
          {state !== 'rejected' && (
            <Button look="plain" onClick={() => decide(review, 'rejected')}>
              {t('reviews.reject')}
            </Button>
          )}
        </div>
      )}
    </li>
  )
}
