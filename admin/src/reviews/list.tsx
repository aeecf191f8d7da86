import './reviews.css'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useMay } from '../session/session.ts'
import { useBulk, useTicked } from '../ui/lists/bulk.ts'
import { Failures } from '../ui/lists/bulk-bar.tsx'
import { Empty, Views } from '../ui/lists/list.tsx'
import { PageFoot } from '../ui/lists/page-foot.tsx'
import type { Span } from '../ui/lists/pages.ts'
import { WaitingRows } from '../ui/lists/waiting.tsx'
import { Card, Page } from '../ui/page.tsx'
import { Problem, problemText } from '../ui/problem.tsx'
import { toast } from '../ui/toasts.tsx'
import { t } from '../words/words.ts'
import { ReviewsBulkBar } from './bulk-bar.tsx'
import { type Review, reviewedQuery, reviewsQuery, type State, useDecide } from './queries.ts'
import { ReviewRow } from './row.tsx'
import { STATES } from './search.ts'

const route = getRouteApi('/reviews')

/** What buyers say of products: those that wait for the owner, and what became of the others. */
export function Reviews() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const { state = 'waiting', product } = search
  const reviews = useQuery(reviewsQuery(search))
  const { data } = reviews
  const rows = data?.rows ?? []
  const reviewed = useQuery(reviewedQuery(rows.map(({ product_id }) => product_id))).data
  const mayChange = useMay('request_products')
  const change = useDecide()
  const bulk = useBulk<Review>('reviews', ({ text }) => t('bulk.quoted', { title: text.slice(0, 40) }))
  const ticked = useTicked(rows)
  const filter = product === undefined ? {} : { product }
  const views = STATES.map((each) => ({
    key: each,
    title: t(`reviews.views.${each}`),
    link: { to: '/reviews', search: { ...filter, ...(each === 'waiting' ? {} : { state: each }) } } as const,
    isCurrent: each === state,
  }))
  const decide = ({ id }: Review, next: State) =>
    change.mutate(
      { id, state: next },
      {
        onSuccess: () =>
          toast(t(`reviews.now.${next}`), {
            title: t('common.undo'),
            run: () => change.mutate({ id, state }, { onError: (error) => toast(problemText(error)) }),
          }),
        onError: (error) => toast(problemText(error)),
      },
    )
  const turnTo = (span: Span) =>
    void navigate({ search: { ...filter, ...(state === 'waiting' ? {} : { state }), ...span } })
  return (
    <Page title={t('reviews.title')} trail={{ to: '/products', title: t('menu.products') }} about={t('reviews.about')}>
      <Views views={views} />
      <Failures said={t('reviews.bulk.failed', { count: bulk.failures.length })} work={bulk} />
      <Card label={t('reviews.list')}>
        {reviews.isError ? (
          <Problem error={reviews.error} retry={() => void reviews.refetch()} />
        ) : data === undefined ? (
          <WaitingRows count={4} />
        ) : rows.length === 0 ? (
          <Empty icon="star" text={t(`reviews.none.${state}`)}>
            <p className="muted">{t('reviews.not_allowed')}</p>
            {mayChange && (
              <Link className="button" to="/shop" search={{ part: 'visitors' }}>
                {t('reviews.to_settings')}
              </Link>
            )}
          </Empty>
        ) : (
          <ul className="rows tall" aria-label={t('reviews.list')}>
            {rows.map((review) => (
              <ReviewRow
                key={review.id}
                review={review}
                product={reviewed?.get(review.product_id)}
                {...(mayChange ? { ticked, decide } : {})}
              />
            ))}
          </ul>
        )}
        <PageFoot page={data} turnTo={turnTo} />
      </Card>
      {mayChange && <ReviewsBulkBar work={bulk} ticked={ticked} shown={rows.length} state={state} />}
    </Page>
  )
}
