import { sql } from 'kysely'
import type { Db, Tx } from '#platform/db/database.ts'
import { anyOf, type Columns, condition } from '#platform/db/expressions.ts'
import { type DocumentList, prepareList } from '#platform/db/pages.ts'
import { prepare } from '#platform/db/prepared.ts'
import { numberedName, readNumberedName } from '#platform/wire/numbered-names.ts'
import { priceNotFound } from './errors.ts'
import type { PriceState, PriceUses } from './state.ts'

export const PRICES = 'prices'
/** More prices than anybody keeps an eye on. */
const USES_MAX = 10_000

/** Every read of prices starts here, so none can forget the company. */
function pricesOf(db: Db, companyId: number) {
  return db.selectFrom('prices').where('prices.company_id', '=', companyId)
}

/**
 * The prices of others for which the company sells mirrored products. Bindings and mirrors are read from their tables,
 * because products come after prices in the order of folders.
 */
function pricesOfMirrors(db: Db, companyId: number) {
  return db.selectFrom('prices').where(
    condition`(prices.company_id, prices.id) in (
        select mirror.owner_id, named.id
        from product_mirrors as mirror
        join product_bindings as binding
          on binding.company_id = mirror.company_id and binding.product_key = mirror.product_key
        cross join lateral (values (binding.price_id), (binding.compare_price_id)) as named (id)
        where mirror.company_id = ${companyId})`,
  )
}

const documentById = prepare((db: Db, companyId: number, id: number) =>
  sql<Columns<'prices', 'document'>>`select document from prices
    where id = ${id} and (company_id = ${companyId} or exists (
      select from product_bindings as binding
      join product_mirrors as mirror
        on mirror.company_id = binding.company_id and mirror.product_key = binding.product_key
      where binding.company_id = ${companyId} and mirror.owner_id = prices.company_id
        and (binding.price_id = prices.id or binding.compare_price_id = prices.id)))`.compile(db),
)

/**
 * The document of a price model; another company's is not found, unless a mirrored product of the company is sold for
 * it.
 */
export async function getPriceDocument(db: Db, companyId: number, ref: string): Promise<string> {
  if (!/^\d{1,15}$/.test(ref)) throw priceNotFound(ref)
  const [price] = await documentById(db, companyId, Number(ref))
  if (price === undefined) throw priceNotFound(ref)
  return price.document
}

const allSeenBy = prepareList((db: Db, { company }: { company: number }) => [
  pricesOf(db, company).select(['prices.id', 'prices.document']),
  pricesOfMirrors(db, company).select(['prices.id', 'prices.document']),
])

/** All price models, including those of mirrored products and those that are no longer valid. */
export function listPrices(db: Db, companyId: number): DocumentList {
  return allSeenBy(db, { company: companyId })
}

const ownInUse = prepareList((db: Db, { company, ids }: { company: number; ids?: readonly number[] | undefined }) => {
  const prices = pricesOf(db, company).where('prices.valid', '=', 1).select(['prices.id', 'prices.document'])
  return ids === undefined ? prices : prices.where('prices.id', '=', anyOf(ids))
})

/** The company's own price models that can be used, all of them or some. */
export function listOwnPrices(db: Db, companyId: number, ids?: readonly number[]): DocumentList {
  return ownInUse(db, { company: companyId, ids })
}

/** What files call price models. Those that are no longer used come after the others of the same title. */
export async function readPriceNames(db: Db, companyId: number, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const { rows } = await sql<Columns<'prices', 'id' | 'title'> & { number: number }>`select id, title, number from (
      select id, title, row_number() over (partition by title order by valid desc, id) as number
      from prices where company_id = ${companyId}
    ) as named where id = ${anyOf(ids)}`.execute(db)
  return new Map(rows.map(({ id, title, number }) => [id, numberedName(title, number)]))
}

/** The price model that a file calls so; undefined if there is none. */
export async function findPriceNamed(db: Db, companyId: number, name: string): Promise<number | undefined> {
  const numbered = readNumberedName(name)
  for (const { title, number } of [{ title: name, number: 1 }, ...(numbered === undefined ? [] : [numbered])]) {
    const row = await pricesOf(db, companyId)
      .select('prices.id')
      .where('prices.title', '=', title)
      .orderBy('prices.valid', 'desc')
      .orderBy('prices.id')
      .offset(Math.max(0, number - 1))
      .limit(1)
      .executeTakeFirst()
    if (row !== undefined) return row.id
  }
  return undefined
}

const countAll = prepare((db: Db, companyId: number) => {
  const mirrored = pricesOfMirrors(db, companyId).select((select) => select.fn.countAll<number>().as('count'))
  return sql<{ count: number }>`select
    (select coalesce(sum(amount), 0) from counters where company_id = ${companyId} and resource = ${PRICES})
    + (${mirrored}) as count`.compile(db)
})

const countAfter = prepare((db: Db, companyId: number, after: number) => {
  const own = pricesOf(db, companyId).where('prices.id', '>', after).select('prices.id')
  const mirrored = pricesOfMirrors(db, companyId).where('prices.id', '>', after).select('prices.id')
  return db
    .selectFrom(own.unionAll(mirrored).as('listed'))
    .select((select) => select.fn.countAll<number>().as('count'))
    .compile()
})

/** Counts the price models of the list: the company's own by the stored counter, plus those of mirrored products. */
export async function countPrices(db: Db, companyId: number, sinceId?: number): Promise<number> {
  const [row] = sinceId === undefined ? await countAll(db, companyId) : await countAfter(db, companyId, sinceId)
  return row?.count ?? 0
}

/** Which of the ids are price models of the company, and which of those are valid: a part of a larger statement. */
export function selectPrices(db: Db, companyId: number, ids: readonly number[]) {
  return pricesOf(db, companyId)
    .select(['prices.id', 'prices.valid', sql<string>`'price'`.as('kind')])
    .where('prices.id', '=', anyOf(ids))
}

/** Reads price models; unknown ids are left out. */
export async function readPrices(db: Db, companyId: number, ids: readonly number[]): Promise<PriceState[]> {
  const rows = await pricesOf(db, companyId)
    .selectAll()
    .$narrowType<Pick<PriceState, 'countries' | 'currencies'>>()
    .where('prices.id', '=', anyOf(ids))
    .orderBy('prices.id')
    .execute()
  return rows.map(({ document: _document, ...price }) => price)
}

/** Reads price models with their versions; unknown ids are left out. */
export async function readVersions(
  db: Db,
  companyId: number,
  ids: readonly number[],
  versionOf: (document: string) => string,
): Promise<{ price: PriceState; etag: string }[]> {
  const rows = await pricesOf(db, companyId)
    .selectAll()
    .$narrowType<Pick<PriceState, 'countries' | 'currencies'>>()
    .where('prices.id', '=', anyOf(ids))
    .orderBy('prices.id')
    .execute()
  return rows.map(({ document, ...price }) => ({ price, etag: versionOf(document) }))
}

/** Locks the price model until the transaction ends and reads it: do this before deciding on a change. */
export async function lockPrice(tx: Tx, companyId: number, ref: string): Promise<PriceState> {
  if (!/^\d{1,15}$/.test(ref)) throw priceNotFound(ref)
  const [price] = await lockPrices(tx, companyId, [Number(ref)])
  if (price === undefined) throw priceNotFound(ref)
  return price
}

/** lockPrice for many; those that do not exist are left out. */
export async function lockPrices(tx: Tx, companyId: number, ids: number[]): Promise<PriceState[]> {
  await pricesOf(tx, companyId)
    .select('prices.id')
    .where('prices.id', '=', anyOf(ids))
    .orderBy('prices.id')
    .forNoKeyUpdate()
    .execute()
  return readPrices(tx, companyId, ids)
}

type Uses = { products: number; methods: number; plans: number }

const usesOf = prepare((db: Db, companyId: number, id: number) =>
  sql<Uses>`select
    (select count(distinct product_key) from product_bindings
      where company_id = ${companyId} and (price_id = ${id} or compare_price_id = ${id})) as products,
    (select count(*) from shipping_methods where company_id = ${companyId} and valid and (price_id = ${id}
      or weight_rates @> jsonb_build_array(jsonb_build_object('price_id', ${id}::bigint)))) as methods,
    (select count(*) from plans where company_id = ${companyId} and price_id = ${id}) as plans
  `.compile(db),
)

/** How many products, shipping methods and plans of the company name a price model. */
export async function countPriceUses(db: Db, companyId: number, id: number): Promise<Uses> {
  const [uses] = await usesOf(db, companyId, id)
  return uses ?? { products: 0, methods: 0, plans: 0 }
}

const allUsesOf = prepare((db: Db, companyId: number) =>
  sql<
    Columns<'prices', 'id'> & Omit<PriceUses, 'id'>
  >`select price_id as id, count(distinct product_key) filter (where kind = 'price') as products,
      count(distinct product_key) filter (where kind = 'compared') as compared,
      count(distinct method_id) as shipping_methods, count(distinct plan_id) as plans
    from (
      select price_id, product_key, null::bigint as method_id, null::bigint as plan_id, 'price' as kind from product_bindings
      where company_id = ${companyId} and price_id is not null
      union all
      select compare_price_id, product_key, null, null, 'compared' from product_bindings
      where company_id = ${companyId} and compare_price_id is not null
      union all
      select cost.price_id, null, id, null, 'shipping' from shipping_methods
      cross join lateral (
        select shipping_methods.price_id
        union all
        select (rate ->> 'price_id')::bigint from jsonb_array_elements(weight_rates) as rate
      ) as cost
      where company_id = ${companyId} and valid and cost.price_id is not null
      union all
      select price_id, null, null, id, 'plan' from plans where company_id = ${companyId}
    ) as used
    group by price_id order by price_id limit ${USES_MAX}`.compile(db),
)

/** What each price of the company is used for; one that is not used is left out. */
export function readPriceUses(db: Db, companyId: number): Promise<PriceUses[]> {
  return allUsesOf(db, companyId)
}

/** The ids of price models after one id, in order. */
export async function readPriceIds(db: Db, companyId: number, after: number, limit: number): Promise<number[]> {
  const rows = await pricesOf(db, companyId)
    .select('prices.id')
    .where('prices.id', '>', after)
    .orderBy('prices.id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}
