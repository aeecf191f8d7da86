import type pg from 'pg'
import type { Asked } from './cases.ts'
import { costFigures, type Measured } from './figures.ts'
import { measure, measureInTurn, type Pair, type Target } from './measure.ts'
import type { Options } from './options.ts'
import { pick } from './pick.ts'
import { startLoad } from './processes.ts'
import { number, table, verdict } from './report.ts'
import { startFilled, withDatabase } from './services.ts'
import { fetchBody } from './verify.ts'

const TIMES = 10
/** The highest cost ratio for ten times as many orders. */
const ORDERS_TIMES_MAX = 1.5
const PRODUCTS = 1000
const REQUESTS = 50
const CHECKED = 3
const PAGE = 50

/** A question as a request and as plain SQL, which gives the expected answer. */
type Asking = { query: string; sql: string }

type Question = { title: string; kind: 'count' | 'list'; ask: () => Asking }

type Grown = { kind: Question['kind']; title: string; small: Pair['first']; large: Pair['second'] }

type Facts = { first: Date; last: Date; ids: number[]; tokens: string[] }

const wire = (time: Date) => time.toISOString().slice(0, 19)

/** Questions about orders in the middle of the two years, never at midnight. */
function questionsOf({ first, last, ids, tokens }: Facts): Question[] {
  const span = last.getTime() - first.getTime()
  const at = (part: number) => new Date(first.getTime() + span * part)
  const middle = () => at(0.4 + Math.random() * 0.2)
  const madeSince = () => {
    const time = wire(middle())
    return { query: `created_at_min=${time}`, sql: `created_at >= '${time}Z'` }
  }
  const madeBetween = () => {
    const from = middle()
    const [one, other] = [wire(from), wire(new Date(from.getTime() + span / 20))]
    const sql = `created_at between '${one}Z' and '${other}Z'`
    return { query: `created_at_min=${one}&created_at_max=${other}`, sql }
  }
  const changedSince = () => {
    const time = wire(middle())
    return { query: `updated_at_min=${time}`, sql: `updated_at >= '${time}Z'` }
  }
  const refunded = { query: 'financial_status=refunded', sql: "financial_status = 'refunded'" }
  const waiting = { query: 'fulfillment_status=null', sql: 'fulfillment_status is null' }
  const both = { query: `${refunded.query}&${waiting.query}`, sql: `${refunded.sql} and ${waiting.sql}` }
  const ofCustomer = () => {
    const token = pick(tokens)
    return { query: `customer_token=${token}`, sql: `customer_token = '${token}'` }
  }
  const some = () => {
    const wanted = Array.from({ length: PAGE }, () => pick(ids))
    return { query: `ids=${wanted.join(',')}`, sql: `id in (${wanted.join(',')})` }
  }
  return [
    { kind: 'count', title: 'count', ask: () => ({ query: '', sql: 'true' }) },
    { kind: 'count', title: 'count, refunded', ask: () => refunded },
    { kind: 'count', title: 'count, refunded and not shipped', ask: () => both },
    { kind: 'count', title: 'count, made since', ask: madeSince },
    { kind: 'count', title: 'count, made between', ask: madeBetween },
    { kind: 'list', title: 'first page', ask: () => ({ query: '', sql: 'true' }) },
    { kind: 'list', title: 'refunded', ask: () => refunded },
    { kind: 'list', title: 'not shipped', ask: () => waiting },
    { kind: 'list', title: 'refunded and not shipped', ask: () => both },
    { kind: 'list', title: 'made since', ask: madeSince },
    { kind: 'list', title: 'made between', ask: madeBetween },
    { kind: 'list', title: 'changed since', ask: changedSince },
    { kind: 'list', title: 'of a customer', ask: ofCustomer },
    { kind: 'list', title: 'by 50 ids', ask: some },
  ]
}

const caseName = (kind: Question['kind'], title: string) =>
  (kind === 'count' ? title : `list ${title}`).replaceAll(',', '').replaceAll(' ', '-')

/** The names of the cases, which are the same whatever the shop has. */
export const ORDERS_CASES = questionsOf({ first: new Date(0), last: new Date(1), ids: [], tokens: [] }).map(
  ({ kind, title }) => caseName(kind, title),
)

function request({ kind }: Question, { query }: Asking): Asked {
  const path = kind === 'count' ? '/api/orders/count.json?' : `/api/orders.json?limit=${PAGE}&`
  return { method: 'GET', path: path + query }
}

/** Fails unless the answer is what plain SQL says. */
async function check(client: pg.Client, target: Target, companyId: number, question: Question): Promise<void> {
  for (let nth = 0; nth < CHECKED; nth += 1) {
    const asking = question.ask()
    const answer = JSON.parse(await fetchBody(target, request(question, asking)))
    const where = `from orders where company_id = ${companyId} and ${asking.sql}`
    const { rows } = await client.query<{ id: string }>(
      question.kind === 'count' ? `select count(*) as id ${where}` : `select id ${where} order by id limit ${PAGE}`,
    )
    const wanted = rows.map(({ id }) => Number(id)).join()
    const found =
      question.kind === 'count' ? String(answer.count) : answer.orders.map(({ id }: { id: number }) => id).join()
    if (wanted !== found) throw new Error(`${question.title}: ${asking.query} answers ${found}, not ${wanted}`)
  }
}

/** A shop in a service and a database of its own. */
async function openShop(orders: number, smoke: boolean): Promise<{ target: Target; questions: Question[] }> {
  const { service, host, postmaster } = await startFilled({ products: PRODUCTS, orders }, smoke)
  const target: Target = { ...service, postmaster }
  const questions = await withDatabase(host, async (client) => {
    await client.query('vacuum analyze')
    const read = async <Row extends object>(text: string) => (await client.query<Row>(text, [service.companyId])).rows
    const [bounds] = await read<Pick<Facts, 'first' | 'last'>>(
      'select min(created_at) as first, max(created_at) as last from orders where company_id = $1',
    )
    const ids = await read<{ id: string }>('select id from orders where company_id = $1')
    const tokens = await read<{ token: string }>(
      'select token from customers join customer_relations on customer_id = id where company_id = $1',
    )
    if (bounds === undefined) throw new Error('the shop has no orders')
    const facts = { ...bounds, ids: ids.map(({ id }) => Number(id)), tokens: tokens.map(({ token }) => token) }
    const questions = questionsOf(facts)
    for (const question of questions) await check(client, target, service.companyId, question)
    return questions
  })
  return { target, questions }
}

/** Measures the same questions in a shop with `options.orders` orders, and in one with ten times as many. */
export async function measureOrders(options: Options): Promise<Measured> {
  const load = startLoad()
  const small = await openShop(options.orders, options.smoke)
  const large = options.smoke ? small : await openShop(options.orders * TIMES, options.smoke)
  const questions: Grown[] = []
  for (const [index, question] of small.questions.entries()) {
    console.log(`Measuring ${question.kind === 'count' ? '' : 'list: '}${question.title} …`)
    const ask = ({ target, questions }: typeof small) => {
      const asked = questions[index]
      if (asked === undefined) throw new Error('the shops have different questions')
      const requests = Array.from({ length: REQUESTS }, () => request(asked, asked.ask()))
      return measure(load, target, { title: asked.title, requests, connectionsMax: 10_000 }, options)
    }
    const pair = await measureInTurn(
      options.rounds,
      () => ask(small),
      () => ask(large),
    )
    questions.push({ kind: question.kind, title: question.title, small: pair.first, large: pair.second })
  }
  return {
    figures: questions.map(({ kind, title, small, large }) => ({
      name: caseName(kind, title),
      compared: CHECKED * 2,
      ratio: large.perSecond / small.perSecond,
      ...costFigures(small, large),
    })),
    lines: [growthTable(options.orders, questions)],
    details: { orders: options.orders, questions },
  }
}

function growthTable(orders: number, questions: readonly Grown[]): string {
  const head = ['orders', `ms at ${number(orders)}`, `ms at ${number(orders * TIMES)}`, 'ratio', 'aim', '']
  const rows = questions.map(({ title, small, large }) => {
    const cost = (sample: typeof small) => sample.cpuMs + sample.databaseMs
    const ratio = cost(large) / cost(small)
    const pair = (name: 'cpuMs' | 'databaseMs' | 'p50', digits: number) => [
      number(small[name], digits),
      number(large[name], digits),
    ]
    const costs = [...pair('cpuMs', 3), ...pair('databaseMs', 3), ...pair('p50', 0)]
    const aim = [number(ratio, 2), `≤${ORDERS_TIMES_MAX}`, verdict(ratio <= ORDERS_TIMES_MAX)]
    return [title, number(cost(small), 3), number(cost(large), 3), ...aim, ...costs]
  })
  return table([[...head, 'CPU', '', 'DB', '', 'p50', ''], ...rows])
}
