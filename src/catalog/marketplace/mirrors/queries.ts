import { sql } from 'kysely'
import { hasWords } from '#catalog/products/lists/filters.queries.ts'
import { mirrorsOf } from '#catalog/products/mirrors/queries.ts'
import { productsOf } from '#catalog/products/queries.ts'
import type { Db } from '#platform/db/database.ts'
import { anyOf, type Columns, condition } from '#platform/db/expressions.ts'
import type { Optional } from '#platform/db/filters.ts'
import { prepareList, type RowList } from '#platform/db/pages.ts'
import type { MirrorFilters } from './schema.ts'
import type { MirrorRow } from './state.ts'

/** The mirrors that a company has of an owner's products, by the key of the original. */
export async function findMirrors(
  db: Db,
  companyId: number,
  ownerId: number,
  originals: number[],
): Promise<Map<number, number>> {
  const rows = await mirrorsOf(db, companyId)
    .select(['product_key', 'original_key'])
    .where('owner_id', '=', ownerId)
    .where('original_key', '=', anyOf(originals))
    .execute()
  return new Map(rows.map(({ original_key, product_key }) => [original_key, product_key]))
}

export async function readDocuments(db: Db, companyId: number, keys: number[]): Promise<Map<number, string>> {
  const rows = await productsOf(db, companyId)
    .select(['products.id', 'products.document'])
    .where('products.id', '=', anyOf(keys))
    .execute()
  return new Map(rows.map(({ id, document }) => [id, document]))
}

/** The number of changed originals whose mirrors are not updated yet, by owner, for the operator. */
export async function readWaitingChanges(db: Db): Promise<Map<number, number>> {
  const { rows } = await sql<Columns<'original_changes', 'company_id'> & { waiting: number }>`
    select company_id, count(*) as waiting from original_changes group by company_id order by company_id`.execute(db)
  return new Map(rows.map(({ company_id, waiting }) => [company_id, waiting]))
}

type Given = { company: number } & Optional<{ q: string; published: boolean; valid: boolean }>

/** Does the owner of a mirror offer anything to the company? */
const isForTaker = condition`(offer.withdrawn_at is null
  and (offer.company_ids is null or mirror.company_id = any(offer.company_ids)))`

/** Does the owner of a mirror offer anything to the company, and is its original still there? */
const isOffered = condition`(products.valid and exists (select from market_offers as offer
  join products as original on original.company_id = offer.company_id and original.id = mirror.original_key
  where offer.company_id = mirror.owner_id and ${isForTaker}))`

const mirrors = prepareList((db: Db, { company, q, published, valid }: Given) => {
  let rows = productsOf(db, company)
    .innerJoin('product_mirrors as mirror', (join) =>
      join.onRef('mirror.company_id', '=', 'products.company_id').onRef('mirror.product_key', '=', 'products.id'),
    )
    .select(['products.id', 'products.document', 'products.valid', 'products.created_at'])
    .select(['mirror.cost_to_licensees_percent', 'mirror.followed_at', 'mirror.followed_changes'])
    .select([
      sql<
        Columns<'companies', 'company_name'>['company_name']
      >`(select owner.company_name from companies as owner where owner.id = mirror.owner_id)`.as('company_name'),
      sql<
        Columns<'market_offers', 'cost_to_licensees_percent'>['cost_to_licensees_percent'] | null
      >`(select offer.cost_to_licensees_percent from market_offers as offer
        where offer.company_id = mirror.owner_id and ${isForTaker})`.as('offered_percent'),
      condition`exists (select from products as original
        where original.company_id = mirror.owner_id and original.id = mirror.original_key)`.as('has_original'),
    ])
    .$narrowType<Pick<MirrorRow, 'followed_changes'>>()
  if (q !== undefined) rows = rows.where(hasWords('title', q))
  if (published !== undefined) rows = rows.where('products.published', '=', published)
  if (valid !== undefined) rows = rows.where(valid ? isOffered : condition`not ${isOffered}`)
  return rows
})

/** The products that a company sells for others, with what became of their originals. */
export function listMirrors(db: Db, companyId: number, { q, state }: MirrorFilters): RowList<MirrorRow> {
  return mirrors(db, {
    company: companyId,
    q: q?.trim() || undefined,
    published: state === 'shown' || state === 'hidden' ? state === 'shown' : undefined,
    valid: state === undefined ? undefined : state !== 'not_offered',
  })
}
