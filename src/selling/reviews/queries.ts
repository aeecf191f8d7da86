import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { type Columns, condition } from '#platform/db/expressions.ts'
import { type Filters, narrow, type Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import { prepare, prepareFamily } from '#platform/db/prepared.ts'
import { reviewNotFound } from './errors.ts'
import type { ListedReview, Rating, ReviewState } from './state.ts'

export const REVIEWS = 'reviews'
const SHOWN_MAX = 10

/** Every read of reviews starts here, so none can forget the company. */
function reviewsOf(db: Db, companyId: number) {
  return db.selectFrom('reviews').where('reviews.company_id', '=', companyId)
}

function listedOf(reviews: ReturnType<typeof reviewsOf>) {
  return reviews
    .selectAll('reviews')
    .select([
      sql<Columns<'products', 'product_id'>['product_id']>`(select product_id from products
        where products.company_id = reviews.company_id and products.id = reviews.product_key)`.as('product_id'),
      sql<
        Columns<'customers', 'token'>['token'] | null
      >`(select token from customers where customers.id = reviews.customer_id)`.as('customer_token'),
    ])
    .$narrowType<Pick<ReviewState, 'state'>>()
}

export type ReviewFilters = Optional<{ state: string; product_id: string; since_id: number; customer: number }>

const FILTERS: Filters<ReturnType<typeof reviewsOf>, ReviewFilters> = {
  state: (reviews, state) => reviews.where('reviews.state', '=', state),
  product_id: (reviews, id) =>
    reviews.where(condition`reviews.product_key = (select products.id from products
      where products.company_id = reviews.company_id and products.product_id = ${id})`),
  customer: (reviews, id) => reviews.where('reviews.customer_id', '=', id),
  since_id: (reviews, id) => reviews.where('reviews.id', '>', id),
}

const listed = prepareList((db: Db, { company, ...filters }: ReviewFilters & { company: number }) =>
  listedOf(narrow(reviewsOf(db, company), FILTERS, filters)),
)

export function listReviews(db: Db, companyId: number, filters: ReviewFilters = {}): RowList<ListedReview> {
  const { state, product_id, customer } = filters
  return listed(db, { state, product_id, customer, company: companyId })
}

const counted = prepareFamily((db: Db, filters: ReviewFilters, companyId: number) =>
  narrow(reviewsOf(db, companyId), FILTERS, filters)
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile(),
)

/** Counts in an index: reviews are rarely counted. */
export async function countReviews(db: Db, companyId: number, filters: ReviewFilters): Promise<number> {
  const [row] = await counted(db, filters, companyId)
  return row?.count ?? 0
}

const byId = prepare((db: Db, companyId: number, id: number) =>
  listedOf(reviewsOf(db, companyId)).where('reviews.id', '=', id).compile(),
)

/** A review; another company's is not found. */
export async function getReview(db: Db, companyId: number, ref: string): Promise<ListedReview> {
  const [review] = /^\d{1,15}$/.test(ref) ? await byId(db, companyId, Number(ref)) : []
  if (review === undefined) throw reviewNotFound(ref)
  return review
}

/** getReview that locks the row until the transaction ends: do this before deciding on a change. */
export async function lockReview(tx: Tx, companyId: number, ref: string): Promise<ListedReview> {
  const review = /^\d{1,15}$/.test(ref)
    ? await listedOf(reviewsOf(tx, companyId))
        .where('reviews.id', '=', Number(ref))
        .forNoKeyUpdate('reviews')
        .executeTakeFirst()
    : undefined
  if (review === undefined) throw reviewNotFound(ref)
  return review
}

const LATEST_MAX = 100

/** The latest reviews, or those in a state. */
export function readReviews(db: Db, companyId: number, state: string | undefined): Promise<ListedReview[]> {
  const all = listedOf(reviewsOf(db, companyId)).orderBy('reviews.id', 'desc').limit(LATEST_MAX)
  return (state === undefined ? all : all.where('reviews.state', '=', state)).execute()
}

/** What a customer wrote about a product, whatever became of it; undefined if nothing. */
export async function findOwnReview(
  db: Db,
  { companyId, productKey, customerId }: { companyId: number; productKey: number; customerId: number },
): Promise<Pick<ReviewState, 'stars' | 'text' | 'name'> | undefined> {
  return reviewsOf(db, companyId)
    .select(['reviews.stars', 'reviews.text', 'reviews.name'])
    .where('reviews.product_key', '=', productKey)
    .where('reviews.customer_id', '=', customerId)
    .executeTakeFirst()
}

const bought = prepare((db: Db, companyId: number, token: string, productKey: number) =>
  sql<{ has_bought: boolean }>`select exists (select from orders
      join order_lines as line on line.company_id = orders.company_id and line.order_id = orders.id
      where orders.company_id = ${companyId} and orders.customer_token = ${token} and line.product_key = ${productKey}
        and orders.cancelled_at is null and orders.financial_status <> 'pending') as has_bought`.compile(db),
)

/** Has a customer paid for a product, in an order that was not cancelled? */
export async function hasBought(db: Db, companyId: number, token: string, productKey: number): Promise<boolean> {
  const [row] = await bought(db, companyId, token, productKey)
  return row?.has_bought ?? false
}

const ratingOf = prepare((db: Db, companyId: number, productKey: number) =>
  sql<Omit<Rating, 'latest'> & { latest: (Rating['latest'][number] & { created_at: string })[] | null }>`select
      rating.reviews as count, rating.stars,
      (select json_agg(shown) from (
        select reviews.name, reviews.stars, reviews.text, reviews.created_at from reviews
        where reviews.company_id = ${companyId} and reviews.product_key = ${productKey} and reviews.state = 'approved'
        order by reviews.id desc limit ${sql.lit(SHOWN_MAX)}) as shown) as latest
    from product_ratings as rating
    where rating.company_id = ${companyId} and rating.product_key = ${productKey} and rating.reviews > 0`.compile(db),
)

/** What buyers say of a product; undefined if nobody has said anything that is shown. */
export async function findRating(db: Db, companyId: number, productKey: number): Promise<Rating | undefined> {
  const [row] = await ratingOf(db, companyId, productKey)
  if (row === undefined) return undefined
  return {
    ...row,
    latest: (row.latest ?? []).map((review) => ({ ...review, created_at: new Date(review.created_at) })),
  }
}
