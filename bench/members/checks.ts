import type pg from 'pg'
import { type Asked, makeCases } from '../cases.ts'
import { costFigures, type Measured } from '../figures.ts'
import { measure, measureInTurn, type Pair, type Sample } from '../measure.ts'
import type { Options } from '../options.ts'
import { startLoad } from '../processes.ts'
import { aimLine, number } from '../report.ts'
import { type Service, startFilled, withDatabase } from '../services.ts'
import { fetchBody, shape } from '../verify.ts'

const [PRODUCTS, ORDERS] = [10_000, 500]
const MEMBERS = 100_000
const SMOKE_MEMBERS = 100
/** Things that the measured customer owns, and as many that the customer has opened. */
const CHECKED = 200
const SMOKE_CHECKED = 10
/** An owner's checks cost the same for any number of pieces; one order has at most a hundred. */
const PIECES_MAX = 100
const ANY = 10_000
const COST_MAX = 1.2

type Filled = { owned: Asked[]; opened: Asked[] }

const post = (path: string, body: object): Asked => ({ method: 'POST', path, body: JSON.stringify(body) })
const checkOf = ({ id }: { id: number }, index: number): Asked =>
  post(`/api/entitlements/${id}/check.json`, {
    check: { action: 'play', device: `device ${index % 3}`, country: 'DE' },
  })

/** A group with many members and products, and a customer who owns some things and has opened others. */
async function fill(client: pg.Client, service: Service, members: number, checked: number): Promise<Filled> {
  const { order } = await makeCases(client, service.companyId)
  const sample: { order: { customer_token: string; line_items: { license_id?: number }[] } } = JSON.parse(
    order.requests[0]?.body ?? '{}',
  )
  const { customer_token: token, line_items } = sample.order
  const [line] = line_items
  const group = { kind: 'subscription', title: 'Kino Club', license_id: line?.license_id }
  const made = JSON.parse(await fetchBody(service, post('/api/groups.json', { group }), 201))
  const groupId: string = made.group.id
  await client.query(
    `insert into product_groups (company_id, product_key, group_id, created_at)
      select company_id, id, $2, now() from products where company_id = $1 and not mirrored on conflict do nothing`,
    [service.companyId, groupId],
  )
  await client.query(
    `with people as (
        insert into customers (token, email, language, state, verified_email, created_at, updated_at)
        select translate(lpad(nth::text, 16, '0'), '0123456789', 'QRSTUVWXYZ'), 'member-' || nth || '@bench.example', 'en',
          'enabled', true, now(), now()
        from generate_series(1, $3::int) as nth returning token, email)
      insert into subscribers (company_id, email, customer_token, group_id, created_at, updated_at)
      select $1, email, token, $2, now(), now() from people`,
    [service.companyId, groupId, members],
  )
  const subscriber = { customer_token: token, group_id: groupId }
  await fetchBody(service, post('/api/subscribers.json', { subscriber }), 201)

  const quantity = Math.min(checked, PIECES_MAX)
  const owned: { id: number }[] = []
  for (let bought = 0; bought < checked; bought += quantity) {
    const body = { customer_token: token, line_items: [{ ...line, quantity }], customer_notification: 0 }
    const { order: placed } = JSON.parse(await fetchBody(service, post('/api/orders.json', { order: body }), 201))
    const path = `/api/entitlements.json?order_id=${placed.id}&limit=${quantity}`
    owned.push(...JSON.parse(await fetchBody(service, { method: 'GET', path })).entitlements)
  }
  const list = `/api/customers/${token}/memberships/${groupId}/products.json?limit=${checked}`
  const { products }: { products: { product_id: string }[] } = JSON.parse(
    await fetchBody(service, { method: 'GET', path: list }),
  )
  const opened: { id: number }[] = []
  for (const { product_id } of products) {
    const asked = post(`/api/customers/${token}/open.json`, { open: { product_id } })
    opened.push(...JSON.parse(await fetchBody(service, asked, 201)).content.slice(0, 1))
  }
  await client.query('vacuum analyze')
  return { owned: owned.map(checkOf), opened: opened.map(checkOf) }
}

/** A member is told the same as an owner: that it is allowed. */
async function compare(service: Service, { owned, opened }: Filled): Promise<number> {
  for (const [index, asked] of opened.entries()) {
    const [ours, theirs] = [asked, owned[index % owned.length] ?? asked].map(async (each) =>
      JSON.parse(await fetchBody(service, each)),
    )
    const [member, owner] = [await ours, await theirs]
    if (member.decision.allowed !== true || owner.decision.allowed !== true)
      throw new Error(`a check was refused: ${JSON.stringify({ member, owner })}`)
    if (JSON.stringify(shape(member)) !== JSON.stringify(shape(owner)))
      throw new Error('the answers to a member and to an owner have other fields')
  }
  return opened.length
}

/** Measures what a check costs a member, against that of an owner in the same run. */
export async function measureChecks(options: Options): Promise<Measured> {
  const filled = await startFilled({ products: PRODUCTS, orders: ORDERS, flags: ['--no-worker'] }, options.smoke)
  const { host, postmaster } = filled
  const service = { ...filled.service, postmaster }
  const load = startLoad()
  return withDatabase(host, async (client) => {
    const [members, checked] = options.smoke ? [SMOKE_MEMBERS, SMOKE_CHECKED] : [MEMBERS, CHECKED]
    const asked = await fill(client, service, members, checked)
    const compared = await compare(service, asked)
    console.log(`Measuring checks of ${asked.opened.length} opened and ${asked.owned.length} owned things …`)
    const checking = (requests: Asked[], title: string) =>
      measure(load, service, { title, requests, connectionsMax: ANY }, options)
    const pair = await measureInTurn(
      options.rounds,
      () => checking(asked.owned, 'check of an owner'),
      () => checking(asked.opened, 'check of a member'),
    )
    const ratio = pair.second.perSecond / pair.first.perSecond
    return {
      figures: [{ name: 'check', compared, ratio, ...costFigures(pair.first, pair.second) }],
      lines: lines(pair, members),
      details: { members, compared, pair },
    }
  })
}

function lines({ first, second }: Pair, members: number): string[] {
  const cost = ({ cpuMs, databaseMs }: Sample) =>
    `${number(cpuMs, 3)} ms of Node and ${number(databaseMs, 3)} ms of PostgreSQL`
  const whole = ({ cpuMs, databaseMs }: Sample) => cpuMs + databaseMs
  return [
    `a check of an owner: ${cost(first)}`,
    `a check of a member of a group of ${number(members)}: ${cost(second)}`,
    aimLine('what a check costs a member, times that of an owner', whole(second) / whole(first), '', COST_MAX, 2),
  ]
}
