import { parseArgs } from 'node:util'
import { CASE_NAMES, type CaseName } from './cases.ts'

export type Options = {
  sections: Section[]
  /** A few requests of each case on small data: does everything run, and are the answers the same? */
  smoke: boolean
  history: boolean
  /** Renewals that are measured, of those that are due. */
  renewals: number
  products: number
  /** Of the smaller of the two shops of the section on orders. */
  orders: number
  seconds: number
  rounds: number
  connections: number
  cases: CaseName[]
  auth: boolean
  floor: 'pool' | 'pipelined'
  mib: number
  downloads: number
}

export const SECTIONS = [
  'start',
  'main',
  'shop',
  'statistics',
  'rights',
  'members',
  'webhooks',
  'files',
  'protected',
  'large',
  'marketplace',
  'orders',
] as const
export type Section = (typeof SECTIONS)[number]

const DEFAULT: Section[] = ['start', 'main']
/** The sections with a floor, whose figures are kept. */
const WITH_HISTORY: Section[] = [
  'start',
  'main',
  'shop',
  'statistics',
  'rights',
  'members',
  'webhooks',
  'files',
  'protected',
  'large',
]
export const IN_SMOKE: Section[] = [...WITH_HISTORY, 'marketplace', 'orders']

const USAGE = `npm run bench -- [${SECTIONS.join(' | ')}]… [options]
  start             memory at rest, first start and later starts
  main              products and orders through the API (with start: what runs if no section is named)
  shop              shop pages, the checkout and the search
  statistics        statistics of a year
  rights            what customers own
  members           what members of a group open, against what customers own, and their renewals (--renewals N)
  webhooks          how fast events arrive, and what they cost
  files             uploads and downloads (--mib M, --downloads D)
  protected         protected films: segments, keys, 500 viewers, the first picture, packing 4 GB
  large             a shop of ten times the products: memory of its full list, deep pages, categories, counts
  marketplace       a large offer
  orders            two shops of N and ten times N orders: what counts and filters cost (--orders N)
  --smoke           all sections (or those named) with a few requests each: floor and service are compared, not timed
  --history         all sections with a floor (or those named), with a line for each case in bench/history.csv
  --products N      products in the shop (default 10000)
  --orders N        orders of the smaller shop of the section orders (default 100000)
  --seconds S       length of one measurement (default 6)
  --rounds R        measurements of floor and service each, in turn (default 2, at least 2)
  --connections C   connections of the load (default 32)
  --cases a,b       of the section main, some of ${CASE_NAMES.join(', ')} (default all)
  --auth            in the section main, also what a token costs: a guarded request over an open one
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

function sectionNames(names: string[], { smoke, history }: { smoke: boolean; history: boolean }): Section[] {
  const known: readonly string[] = SECTIONS
  const unknown = names.filter((name) => !known.includes(name))
  if (unknown.length > 0) throw new Error(`There is no section ${unknown.join(', ')}.\n${USAGE}`)
  const chosen = SECTIONS.filter((name) => names.includes(name))
  if (chosen.length > 0) return chosen
  return smoke ? IN_SMOKE : history ? WITH_HISTORY : DEFAULT
}

export function readOptions(argv: string[]): Options {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: {
      smoke: { type: 'boolean', default: false },
      history: { type: 'boolean', default: false },
      products: { type: 'string', default: '10000' },
      orders: { type: 'string', default: '100000' },
      seconds: { type: 'string', default: '6' },
      rounds: { type: 'string', default: '2' },
      connections: { type: 'string', default: '32' },
      cases: { type: 'string', default: CASE_NAMES.join(',') },
      auth: { type: 'boolean', default: false },
      renewals: { type: 'string', default: '10000' },
      floor: { type: 'string', default: 'pool' },
      mib: { type: 'string', default: '2048' },
      downloads: { type: 'string', default: '200' },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) throw new Error(USAGE)
  const { smoke, history } = values
  if (smoke && history) throw new Error(`A smoke run measures nothing that could be kept.\n${USAGE}`)
  if (values.floor !== 'pool' && values.floor !== 'pipelined')
    throw new Error(`--floor must be pool or pipelined.\n${USAGE}`)
  return {
    sections: sectionNames(positionals, { smoke, history }),
    smoke,
    history,
    renewals: wholeNumber('renewals', values.renewals, 100, 100_000),
    products: wholeNumber('products', values.products, 500, 1_000_000),
    orders: wholeNumber('orders', values.orders, 1000, 1_000_000),
    seconds: wholeNumber('seconds', values.seconds, 1, 600),
    rounds: smoke ? 1 : wholeNumber('rounds', values.rounds, 2, 20),
    connections: wholeNumber('connections', values.connections, 1, 1000),
    cases: caseNames(values.cases),
    auth: values.auth || smoke,
    floor: values.floor,
    mib: smoke ? 2 : wholeNumber('mib', values.mib, 1, 1_000_000),
    downloads: smoke ? 3 : wholeNumber('downloads', values.downloads, 1, 10_000),
  }
}
