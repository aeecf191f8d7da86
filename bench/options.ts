import { parseArgs } from 'node:util'
import { CASE_NAMES, type CaseName } from './cases.ts'

export type Options = {
  /** Only this instead of the whole benchmark. */
  only: Section | undefined
  kills: number
  changes: number
  products: number
  /** 0: the growth of orders is not measured. */
  orders: number
  seconds: number
  rounds: number
  connections: number
  cases: CaseName[]
  large: boolean
  auth: boolean
  webhooks: boolean
  floor: 'pool' | 'pipelined'
}

const SECTIONS = ['webhooks', 'webhooks-proof', 'rights', 'shop', 'statistics'] as const
export type Section = (typeof SECTIONS)[number]

function isSection(text: string | undefined): text is Section | undefined {
  return text === undefined || SECTIONS.some((section) => section === text)
}

const USAGE = `npm run bench -- [webhooks | webhooks-proof | rights | shop | statistics] [options]
  webhooks          only the section on webhooks
  rights            only the section on what customers own
  shop              only the section on shop pages and the checkout
  statistics        only the section on statistics
  webhooks-proof    200 kills and 10,000 changes: does every event arrive? (--kills K, --changes N)
  --products N      products in the shop (default 10000)
  --orders N        also two shops of N and ten times N orders: what counts and filters cost (default 0: not)
  --seconds S       length of one measurement (default 6)
  --rounds R        measurements of floor and service each, in turn (default 2, at least 2)
  --connections C   connections of the load (default 32)
  --cases a,b       some of ${CASE_NAMES.join(', ')} (default all)
  --auth            also what a token costs: a guarded request over an open one
  --webhooks        also how fast events arrive, and what they cost
  --large           also a shop of ten times the products: memory of its full list, cost of the same pages
  --floor KIND      pool (default): the floor's connections are taken in turn, one request each; pipelined: shared`

function wholeNumber(name: string, text: string, minimum: number, maximum: number): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value < minimum || value > maximum)
    throw new Error(`--${name} must be a whole number from ${minimum} to ${maximum}.\n${USAGE}`)
  return value
}

function caseNames(text: string): CaseName[] {
  const names = text.split(',').map((name) => name.trim())
  const known: readonly string[] = CASE_NAMES
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`There is no case ${unknown.join(', ')}.\n${USAGE}`)
  return CASE_NAMES.filter((name) => names.includes(name))
}

export function readOptions(argv: string[]): Options {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      products: { type: 'string', default: '10000' },
      orders: { type: 'string', default: '0' },
      seconds: { type: 'string', default: '6' },
      rounds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '32' },
      cases: { type: 'string', default: CASE_NAMES.join(',') },
      large: { type: 'boolean', default: false },
      auth: { type: 'boolean', default: false },
      webhooks: { type: 'boolean', default: false },
      kills: { type: 'string', default: '200' },
      changes: { type: 'string', default: '10000' },
      floor: { type: 'string', default: 'pool' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) throw new Error(USAGE)
  const [only, ...others] = positionals
  if (others.length > 0 || !isSection(only)) throw new Error(`There is no ${positionals.join(' ')}.\n${USAGE}`)
  if (values.floor !== 'pool' && values.floor !== 'pipelined')
    throw new Error(`--floor must be pool or pipelined.\n${USAGE}`)
  return {
    only,
    kills: wholeNumber('kills', values.kills, 1, 10_000),
    changes: wholeNumber('changes', values.changes, 1, 1_000_000),
    products: wholeNumber('products', values.products, 500, 1_000_000),
    orders: wholeNumber('orders', values.orders, 0, 1_000_000),
    seconds: wholeNumber('seconds', values.seconds, 1, 600),
    rounds: wholeNumber('rounds', values.rounds, 2, 20),
    connections: wholeNumber('connections', values.connections, 1, 1000),
    cases: values.cases === '' ? [] : caseNames(values.cases),
    large: values.large,
    auth: values.auth,
    webhooks: values.webhooks,
    floor: values.floor,
  }
}
