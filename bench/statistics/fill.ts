import type pg from 'pg'
import { RECORD_FIELDS } from '#selling/orders/statistics/rules.ts'

type Size = {
  days: number
  viewsADay: number
  visitsADay: number
  /** Visits are kept for this long. */
  visitDays: number
}

/** A year of a shop with a million orders and ten million page views. */
export const YEAR: Size = { days: 365, viewsADay: 27_400, visitsADay: 9000, visitDays: 90 }
export const SMALL_YEAR: Size = { days: 10, viewsADay: 100, visitsADay: 30, visitDays: 5 }
const ORDERS_A_DAY = 2740
const REFERRERS = 40
const SYSTEMS = ['fire_os', 'chrome_os', 'ios', 'android', 'windows', 'os_x', 'linux', 'unknown']
const COUNTRIES = ['DE', 'AT', 'CH', 'FR', 'ES', 'IT', 'PT', 'NL', 'BE', 'GB', 'US', 'PL', 'CZ', 'DK', 'SE']

const fields = RECORD_FIELDS.join()
const numbers = RECORD_FIELDS.map((name) => (name.endsWith('_amount') ? '2740000' : String(ORDERS_A_DAY))).join()

/**
 * Writes the days as adding up leaves them: a row for each day, operating system, country, site and product. Every product
 * sold on every day, which is the most that a year of products can cost.
 */
export async function fillDays(
  client: pg.Client,
  companyId: number,
  { days, viewsADay, visitsADay, visitDays }: Size,
): Promise<void> {
  const dates = `generate_series(current_date - ${days - 1}, current_date, interval '1 day') as each (day)`
  const inOrigins = (name: string, values: string) =>
    `select $1::bigint, day, '${name}', value, 100, 100000 from ${dates} cross join ${values} as given (value)`
  const run = (text: string) => client.query(text, [companyId])
  for (const table of [
    'order_changes',
    'cart_changes',
    'order_days',
    'order_origin_days',
    'order_product_days',
    'order_product_months',
    'cart_days',
  ])
    await run(`delete from ${table} where company_id = $1`)
  await run(`insert into order_days (company_id, day, ${fields}) select $1::bigint, day, ${numbers} from ${dates}`)
  await run(`insert into cart_days (company_id, day, carts, ${fields})
    select $1::bigint, day, 5000, ${numbers} from ${dates}`)
  await run(`insert into order_origin_days (company_id, day, origin, value, order_count, order_amount)
    ${inOrigins('source', `unnest(array['webshop', 'api'])`)}
    union all ${inOrigins('operating_system', `unnest(array['${SYSTEMS.join(`','`)}'])`)}
    union all ${inOrigins('country', `unnest(array['${COUNTRIES.join(`','`)}'])`)}
    union all ${inOrigins('referrer', `(select 'site' || n || '.example' from generate_series(1, ${REFERRERS}) as n)`)}`)
  await run(`insert into order_product_days (company_id, day, product_key, count, amount)
    select $1::bigint, day, id, 5, 5000 from ${dates} cross join products where company_id = $1`)
  await run(`insert into order_product_months (company_id, month, product_key, product_id, name, count, amount)
    select sold.company_id, date_trunc('month', day), product_key, product_id, title, sum(count), sum(amount)
    from order_product_days as sold join products on products.company_id = sold.company_id and id = product_key
    where sold.company_id = $1 group by 1, 2, 3, 4, 5`)
  await run(`insert into traffic_days (company_id, day, ends_at, salt, visits, page_views, visitors, repeating_visitors,
      bots, bounces)
    select $1::bigint, day, day + interval '1 day', null, ${visitsADay}, ${viewsADay}, 8000, 500, 900, 4000
    from ${dates} on conflict (company_id, day) do update set salt = null, visits = excluded.visits`)
  await fillViews(client, companyId, 'current_date', viewsADay)
  await run(`insert into visits (company_id, day, visit_number, started_at, ended_at, page_views, theme_setting_id,
      landing_path, campaign, referrer_host, operating_system, device, country, language)
    select $1::bigint, day, 1, day, day + interval '5 minutes', 3, 1, '/', '',
      case when n % 3 = 0 then 'site' || n % ${REFERRERS} || '.example' else '' end, 'ios', 'phone', 'DE', 'de'
    from ${dates} cross join generate_series(1, ${visitsADay}) as n where day > current_date - ${visitDays}`)
  await run(`insert into visit_referrer_days (company_id, day, host, visits)
    select company_id, day, referrer_host, count(*) from visits where company_id = $1::bigint group by 1, 2, 3
    on conflict do nothing`)
  await client.query('vacuum analyze')
}

/** A minute of 1,000 orders, as copies of the changes that real orders have written, and a day with 10,000 page views that is over. */
export async function fillMinute(client: pg.Client, companyId: number, number: number): Promise<void> {
  const columns = `order_id, amount, utc_day, financial_status, fulfillment_status, day, source_name, operating_system,
    country_code, referrer, record, products`
  await client.query(
    `insert into order_changes (company_id, ${columns})
      select $1::bigint, ${columns} from bench_changes cross join generate_series(1, 1000) order by random() limit 1000`,
    [companyId],
  )
  await fillViews(client, companyId, `('2020-01-01'::date + ${number})`, 10_000)
}

/** A day with views that have not been counted. Each visitor looks at three or four pages. */
async function fillViews(client: pg.Client, companyId: number, day: string, views: number): Promise<void> {
  await client.query(
    `insert into traffic_days (company_id, day, ends_at, salt) values ($1, ${day}, ${day} + interval '1 day', 'salt')
      on conflict (company_id, day) do update set salt = excluded.salt`,
    [companyId],
  )
  await client.query(
    `insert into page_views (company_id, day, visitor, batch, position, at, theme_setting_id, path, campaign,
        referrer_host, operating_system, device, country, language, is_bot)
      select $1::bigint, ${day}, decode(md5((n % ($2 * 3 / 10))::text), 'hex'), md5((n / 2000)::text)::uuid, n,
        ${day} + n * interval '1 second', 1, '/products/' || n % 100, '', 'site' || n % 40 || '.example', 'ios', 'phone',
        'DE', 'de', n % ($2 * 3 / 10) < 100
      from generate_series(1, $2::int) as n`,
    [companyId, views],
  )
}
