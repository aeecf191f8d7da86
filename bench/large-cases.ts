import type pg from 'pg'
import type { Asked, Case } from './cases.ts'
import { makeCases } from './cases.ts'
import type { Service } from './services.ts'
import { fetchBody } from './verify.ts'

const ANY = 10_000
/** One answer has megabytes. */
const FEW = 2
const PAGE = 50
/** The page is three quarters down the list: page 1,500 of 100,000 products. */
const DEPTH = 0.75
/** Each pair of changes counts an order in and out again. */
const PAIRS = 50_000
const SMOKE_PAIRS = 50

const CHANGE = `order_id, utc_day, financial_status, fulfillment_status, day, source_name, operating_system, country_code,
  referrer, record, products`

/** Changes of orders as they are left where no worker adds them up: copies of one that an order has written. */
export async function fillUnfolded(client: pg.Client, service: Service, smoke: boolean): Promise<void> {
  const { order } = await makeCases(client, service.companyId)
  const [asked] = order.requests
  if (asked === undefined) throw new Error('there is no order to send')
  await fetchBody(service, asked, 201)
  const { rowCount } = await client.query(
    `insert into order_changes (company_id, amount, ${CHANGE})
     select $1::bigint, sign, ${CHANGE}
     from (select ${CHANGE} from order_changes where company_id = $1 order by id desc limit 1) as change
     cross join generate_series(1, $2::int) cross join (values (1), (-1)) as signs (sign)`,
    [service.companyId, smoke ? SMOKE_PAIRS : PAIRS],
  )
  if (rowCount === null || rowCount === 0) throw new Error('the order has left no change to copy')
  await client.query('vacuum analyze')
}

/** The cases, after a check of each answer against plain SQL. */
export async function makeLargeCases(client: pg.Client, service: Service): Promise<Case[]> {
  const read = async <Row extends object>(text: string) => (await client.query<Row>(text, [service.companyId])).rows
  const all = await read<{ id: string }>('select id from products where company_id = $1 order by id')
  const page = Math.max(2, Math.floor((all.length * DEPTH) / PAGE))
  const get = (path: string): Asked => ({ method: 'GET', path })
  const deep = get(`/api/products.json?page=${page}`)
  const [categories, count] = [get('/api/categories.json'), get('/api/orders/count.json')]

  const found: { products: { id: number }[] } = JSON.parse(await fetchBody(service, deep))
  const wanted = all.slice((page - 1) * PAGE, page * PAGE)
  expect(deep, found.products.map(({ id }) => id).join(), wanted.map(({ id }) => id).join())

  const listed: { categories: { entries: object[] }[] } = JSON.parse(await fetchBody(service, categories))
  const [entries] = await read<{ count: string }>('select count(*) from category_entries where company_id = $1')
  expect(categories, String(listed.categories.flatMap((category) => category.entries).length), entries?.count)

  const [orders] = await read<{ count: string }>('select count(*) from orders where company_id = $1')
  expect(count, String(JSON.parse(await fetchBody(service, count)).count), orders?.count)

  return [
    { name: 'deep-page', title: `page ${page} of products`, requests: [deep], connectionsMax: ANY },
    { name: 'categories', title: `categories, ${entries?.count} entries`, requests: [categories], connectionsMax: FEW },
    { name: 'unfolded', title: 'count of orders, changes not added up', requests: [count], connectionsMax: ANY },
  ]
}

function expect({ path }: Asked, found: string, wanted: string | undefined): void {
  if (found !== wanted) throw new Error(`${path} answers ${found}, not ${wanted}`)
}

/** Stores the answers for a floor that finds each in one row. */
export async function storeAnswers(client: pg.Client, service: Service, cases: readonly Case[]): Promise<void> {
  await client.query(`create schema floor;
    create table floor.answers (path text primary key, body text not null) with (toast_tuple_target = 8160);
    alter table floor.answers alter body set storage external`)
  for (const asked of cases.flatMap(({ requests }) => requests))
    await client.query('insert into floor.answers (path, body) values ($1, $2)', [
      asked.path,
      await fetchBody(service, asked),
    ])
}
