import { posix } from 'node:path'
import { inOneLine, readSources, type Source, scan, type Violation } from './source.ts'

/**
 * Each folder may know those above it in this list, and those on its own line. A new folder takes its place here.
 */
const ORDER: readonly (readonly string[])[] = [
  // The shell of pages: it knows no resource.
  ['pages'],
  ['events'],
  ['audit'],
  ['signing-keys'],
  ['stamping'],
  ['locales'],
  ['taxes'],
  ['addresses'],
  ['pictures'],
  ['companies'],
  ['theme-settings'],
  ['grants'],
  ['users'],
  ['sign-in'],
  ['oauth'],
  ['webhooks'],
  ['currency-rates'],
  ['prices'],
  ['licenses'],
  // A category shows its products and a product its categories.
  ['products', 'categories'],
  // Subscribers, group members and news recipients follow the customers that they are, and so does what they own.
  ['customers', 'audience', 'entitlements'],
  // Tokens with which apps act for customers.
  ['player-tokens'],
  ['software-keys', 'redemption-codes'],
  ['marketplace'],
  ['discount-codes', 'shipping-methods', 'tax-rates'],
  ['ledger'],
  ['content-files'],
  ['orders'],
  // Remembers what other resources were imported as.
  ['imports'],
  ['storefront'],
  ['demo'],
  ['boot'],
  ['command-line'],
]

/** These folders start the program, so they may know app.ts and worker.ts. */
const PROGRAM = new Set(['boot', 'command-line'])

/** File names have no roles in folders that contain no resource. */
const WITHOUT_ROLES = new Set([...PROGRAM, 'pages'])

/**
 * What a file in a resource folder may import, by its name. `resource` is what it may know of its own and lower
 * folders.
 */
type Role = {
  packages: RegExp
  platform: RegExp
  /** Nothing of pages, unless it says so. */
  pages?: RegExp
  resource: RegExp
  ownOnly?: RegExp
  typesOnly?: true
}

const NOTHING = /^$/
const NOT_HTTP = /^(?!http\/)/

/** countries.ts, currencies.ts, languages.ts, rates.ts and topics.ts are tables of facts, as pure as a rule. */
const ROLES: Record<string, Role> = {
  'schema.ts': { packages: /^typebox$/, platform: /^(wire|wire-schema)\.ts$/, resource: /^schema\.ts$/ },
  'routes.ts': {
    packages: /^(fastify|@fastify\/type-provider-typebox|typebox)$/,
    platform: /^(?!db\/|jobs\/)/,
    pages: /^/,
    resource: NOTHING,
    ownOnly: /^(?!routes)/,
  },
  'queries.ts': {
    packages: /^(kysely|node:crypto)$/,
    platform: NOT_HTTP,
    resource: /^(queries|errors|rules|schema|scopes|state|topics)\.ts$/,
  },
  'commands.ts': {
    packages: /^(kysely|node:crypto)$/,
    platform: NOT_HTTP,
    resource: /^(?!(routes|present)\.ts$)/,
    ownOnly: /^present\.ts$/,
  },
  'rules.ts': {
    packages: NOTHING,
    platform: /^(problem|faults|wire|wire-schema|money|own-address|storable|typed-codes|typed-entries|zip)\.ts$/,
    resource: /^(rules|errors|schema|scopes|state|countries|currencies|languages|rates|topics)\.ts$/,
  },
  'present.ts': {
    packages: NOTHING,
    platform: /^(wire|wire-schema|own-address)\.ts$/,
    resource: /^(present|rules|schema|state|countries|currencies|languages|rates)\.ts$/,
    ownOnly: /^names\.ts$/,
  },
  'views.ts': {
    packages: /^ghtml$/,
    platform: /^wire\.ts$/,
    pages: /^(form|layout|mark|times)\.ts$/,
    resource: /^(actions|rules|schema|scopes|state|views)\.ts$/,
    ownOnly: /^queries\.ts$/,
  },
  'jobs.ts': { packages: NOTHING, platform: /^(jobs\/(kinds|lanes)|origin)\.ts$/, resource: /^(jobs|state)\.ts$/ },
  'resource.ts': { packages: NOTHING, platform: /^/, resource: /^(?!routes\.ts$)/, ownOnly: /^routes\.ts$/ },
  'errors.ts': { packages: NOTHING, platform: /^problem\.ts$/, resource: NOTHING },
  'state.ts': { packages: NOTHING, platform: NOTHING, resource: /^(rules|schema|state)\.ts$/, typesOnly: true },
}

/** Files with a telling name of their own, by the role that each plays. */
const TELLING_NAMES: Record<string, keyof typeof ROLES> = {
  'src/audience/filters.ts': 'queries.ts',
  'src/audience/follow.ts': 'commands.ts',
  'src/audience/newsletter/words.ts': 'rules.ts',
  'src/companies/admin-routes.ts': 'routes.ts',
  'src/companies/settings.ts': 'commands.ts',
  'src/customers/accounts.ts': 'commands.ts',
  'src/customers/admin-routes.ts': 'routes.ts',
  'src/customers/disable.ts': 'commands.ts',
  'src/customers/relations.ts': 'commands.ts',
  'src/entitlements/rights/clauses.ts': 'rules.ts',
  'src/entitlements/rights/explain.ts': 'rules.ts',
  'src/entitlements/rights/periods.ts': 'rules.ts',
  'src/entitlements/rights/phrases/de.ts': 'rules.ts',
  'src/entitlements/rights/phrases/en.ts': 'rules.ts',
  'src/entitlements/rights/phrases/es.ts': 'rules.ts',
  'src/entitlements/rights/phrases/fr.ts': 'rules.ts',
  'src/entitlements/rights/phrases/it.ts': 'rules.ts',
  'src/entitlements/rights/phrases/phrases.ts': 'rules.ts',
  'src/entitlements/rights/phrases/pt.ts': 'rules.ts',
  'src/entitlements/rights/words.ts': 'rules.ts',
  'src/entitlements/release.ts': 'commands.ts',
  'src/entitlements/rows.ts': 'commands.ts',
  'src/entitlements/contents.ts': 'rules.ts',
  'src/events/dispatch.ts': 'commands.ts',
  'src/licenses/changes.ts': 'rules.ts',
  'src/oauth/apps.ts': 'commands.ts',
  'src/orders/bulk-insert.ts': 'commands.ts',
  'src/orders/cancel.ts': 'commands.ts',
  'src/orders/draft.ts': 'rules.ts',
  'src/orders/filters.ts': 'queries.ts',
  'src/orders/fulfillments/ship.ts': 'commands.ts',
  'src/orders/late-rates.ts': 'commands.ts',
  'src/orders/new-order.ts': 'commands.ts',
  'src/orders/pricing.ts': 'rules.ts',
  'src/orders/sale-context.ts': 'queries.ts',
  'src/orders/sale-effects.ts': 'commands.ts',
  'src/orders/shares.ts': 'commands.ts',
  'src/orders/sold-rights.ts': 'rules.ts',
  'src/orders/totals.ts': 'rules.ts',
  'src/player-tokens/words.ts': 'rules.ts',
  'src/products/appearance.ts': 'queries.ts',
  'src/products/changes.ts': 'rules.ts',
  'src/products/entries.ts': 'commands.ts',
  'src/products/filters.ts': 'queries.ts',
  'src/products/locales.ts': 'rules.ts',
  'src/products/mail-texts.ts': 'queries.ts',
  'src/products/parts.ts': 'rules.ts',
  'src/products/pictures.ts': 'rules.ts',
  'src/redemption-codes/gifts/words.ts': 'rules.ts',
  'src/redemption-codes/redeem.ts': 'commands.ts',
  'src/software-keys/activate.ts': 'commands.ts',
  'src/theme-settings/domains.ts': 'rules.ts',
  'src/users/open-company.ts': 'commands.ts',
}

/** The name that says what a file may do: its own, or that of its role. */
function roleName(path: string): string {
  return TELLING_NAMES[path] ?? posix.basename(path)
}

/** Any other name in a resource folder, such as pictures/fetch.ts. */
const OTHER: Role = { packages: /^(?!fastify$|@fastify\/)/, platform: NOT_HTTP, resource: /^(?!routes\.ts$)/ }

export type Import = { name: string; line: number; type: boolean }

/** Every import of a file: static, for its effect, dynamic, and what is exported from elsewhere. */
export function importsOf(text: string): Import[] {
  const tokens = scan(text)
  const found: Import[] = []
  let type = false
  for (const [at, { kind, text: word, line }] of tokens.entries()) {
    const next = tokens[at + 1]
    const second = tokens[at + 2]
    if (kind !== 'word') continue
    if (word === 'import' || word === 'export') type = next?.text === 'type' && second?.text !== 'from'
    if (word === 'import' && next?.text === '(' && second !== undefined)
      found.push({ name: second.kind === 'text' ? second.text : '(computed)', line, type: false })
    if ((word === 'from' || word === 'import') && next?.kind === 'text')
      found.push({ name: next.text, line: next.line, type: word === 'from' && type })
  }
  return found
}

/** `src/products/locales.ts` lies in the folder products; the files directly under src lie in none. */
function folderOf(path: string): string {
  const parts = path.split('/')
  if (parts[0] !== 'src') return parts[0] ?? ''
  return parts.length === 2 ? '' : (parts[1] ?? '')
}

/** The file that an import names, from the root of the project; undefined for a package. */
function targetOf(path: string, name: string): string | undefined {
  if (name.startsWith('#test/')) return name.slice(1)
  if (name.startsWith('#client/')) return `client/src/${name.slice('#client/'.length)}`
  if (name.startsWith('#')) return `src/${name.slice(1)}`
  return name.startsWith('.') ? posix.join(posix.dirname(path), name) : undefined
}

function isTest(path: string): boolean {
  return !path.startsWith('src/') || path.endsWith('.test.ts')
}

/** Imports every test file there is. */
const TEST_RUNNER = 'test/worker.ts'

function checkSpelling(path: string, { name }: Import): string | undefined {
  if (name === '(computed)')
    return path === TEST_RUNNER ? undefined : 'imports a computed name, which cannot be checked'
  const target = targetOf(path, name)
  if (target === undefined) return undefined
  if (!/\.(ts|json)$/.test(target)) return `imports ${name} without its ending`
  if (/\/index\.ts$/.test(target)) return `imports the index file ${name}`
  if (name.startsWith('#') && !name.startsWith('#test/') && folderOf(path) === folderOf(target))
    return `imports ${name}, which is in its own folder: use a relative path`
  const isRootFile = /^(src\/)?[^/]+$/.test(target)
  const isEntryPoint = path === 'src/main.ts' && folderOf(target) === 'command-line'
  if (name.startsWith('.') && folderOf(path) !== folderOf(target) && !isRootFile && !isEntryPoint)
    return `imports ${name} from another folder: use #${target.replace(/^(client\/)?src\//, '$1')}`
  return undefined
}

function checkFastify(path: string, { name, type }: Import): string | undefined {
  if (!/^(fastify$|@fastify\/|@scalar\/)/.test(name)) return undefined
  if (/^src\/(platform\/http|pages)\//.test(path) || /^src\/(app|account-pages|admin-api)\.ts$/.test(path))
    return undefined
  if (roleName(path) === 'routes.ts') return undefined
  if (type && (folderOf(path) === 'platform' || PROGRAM.has(folderOf(path)))) return undefined
  return `imports ${name}: HTTP belongs to platform/http, pages, app.ts and routes.ts`
}

/** Only a process with limits decodes pictures from outside; `licet doctor` looks whether the decoder can be loaded. */
function checkDecoder(path: string, { name, type }: Import): string | undefined {
  const mayDecode = path === 'src/pictures/decode.ts' || path === 'src/command-line/doctor.ts'
  if (name === 'sharp' && !mayDecode) return 'imports sharp: pictures are decoded in pictures/decode.ts'
  if (targetOf(path, name) === 'src/pictures/decode.ts' && !type && path !== 'src/pictures/decoder-process.ts')
    return `imports ${name}: pictures are decoded in a process of its own`
  return undefined
}

/** These parse files from outside, so only the process with limits loads them. */
const STAMPER = /^src\/stamping\/(pdf|epub|package-document)\.ts$/

function checkStamper(path: string, { name, type }: Import): string | undefined {
  const isStamper = STAMPER.test(path) || path === 'src/stamping/stamper-process.ts'
  const isParser = /^(@cantoo\/pdf-lib|yauzl|saxes)$/.test(name) || STAMPER.test(targetOf(path, name) ?? '')
  if (type || isStamper || !isParser) return undefined
  return `imports ${name}: files are stamped in a process of its own`
}

/** The one file that sends HTTP requests: its agent refuses private networks. */
const HTTP_CLIENT = 'src/platform/outbound.ts'

function checkHttpClient(path: string, { name, type }: Import): string | undefined {
  if (type || path === HTTP_CLIENT || !/^(undici|axios|got|node-fetch|(node:)?https?2?)$/.test(name)) return undefined
  return `imports ${name}: requests to other servers go through ${HTTP_CLIENT}`
}

function placeOf(folder: string): number {
  return ORDER.findIndex((line) => line.includes(folder))
}

/** Is the folder of the imported file one that this file's folder may know? */
function checkOrder(path: string, target: string): string | undefined {
  const from = folderOf(path)
  const to = folderOf(target)
  // The files directly under src put the parts together, so they may know all of them.
  if (from === '' || to === 'platform' || from === to) return undefined
  if (from === 'platform') return `imports ${target}: platform knows no resource`
  if (to === '')
    return PROGRAM.has(from) ? undefined : `imports ${target}: the program knows the resources, not they it`
  if (placeOf(to) === -1) return undefined
  return placeOf(to) > placeOf(from)
    ? `imports ${target}: ${to} comes after ${from} in the order of folders`
    : undefined
}

function checkRole(path: string, role: Role, name: string, found: Import): string | undefined {
  const target = targetOf(path, found.name)
  const no = `imports ${found.name}, which a ${name} may not`
  if (role.typesOnly && !found.type) return `imports ${found.name} as a value: a ${name} holds types only`
  if (target === undefined) return role.packages.test(found.name) ? undefined : no
  if (folderOf(target) === 'platform') return role.platform.test(target.slice('src/platform/'.length)) ? undefined : no
  if (folderOf(target) === 'pages') return role.pages?.test(target.slice('src/pages/'.length)) ? undefined : no
  const file = roleName(target)
  const isOwn = folderOf(target) === folderOf(path)
  return role.resource.test(file) || (isOwn && role.ownOnly?.test(file)) ? undefined : no
}

/** The client is published without the rest of the project, for browsers too, and depends on nothing. */
function checkClient(path: string, { name }: Import): string | undefined {
  return targetOf(path, name)?.startsWith('client/src/') ? undefined : `imports ${name}: the client stands alone`
}

function checkImport(path: string, found: Import): (string | undefined)[] {
  const spelling = checkSpelling(path, found)
  if (path.startsWith('client/')) return [spelling, checkClient(path, found)]
  if (isTest(path)) return [spelling]
  const target = targetOf(path, found.name)
  if (found.name === '@licet/client' || target?.startsWith('client/'))
    return [spelling, `imports ${found.name}: the client is for other programs`]
  if (target !== undefined && isTest(target) && target !== 'package.json')
    return [spelling, `imports ${found.name}, which is for tests`]
  const folder = folderOf(path)
  const name = roleName(path)
  const isResource = placeOf(folder) !== -1 && !WITHOUT_ROLES.has(folder)
  const role = isResource ? (ROLES[name] ?? OTHER) : undefined
  return [
    spelling,
    checkFastify(path, found),
    checkDecoder(path, found),
    checkStamper(path, found),
    checkHttpClient(path, found),
    target === undefined ? undefined : checkOrder(path, target),
    role === undefined
      ? undefined
      : checkRole(path, role, ROLES[name] === undefined ? 'file of this name' : name, found),
  ]
}

/** What is wrong with the imports of one file. */
export function checkFile({ path, text }: Source): Violation[] {
  const folder = folderOf(path)
  const place: Violation[] = []
  if (posix.basename(path) === 'index.ts') place.push({ path, line: 1, message: 'is an index file' })
  if (path.startsWith('src/') && folder !== '' && folder !== 'platform' && placeOf(folder) === -1)
    place.push({ path, line: 1, message: `lies in ${folder}, which has no place in the order of folders` })
  const ofImports = importsOf(text).flatMap((found) =>
    [...new Set(checkImport(path, found))]
      .filter((message) => message !== undefined)
      .map((message) => ({ path, line: found.line, message })),
  )
  return [...place, ...ofImports, ...findFetches(path, text)]
}

/** A call of the global fetch, which is no import. */
function findFetches(path: string, text: string): Violation[] {
  if (isTest(path)) return []
  const tokens = scan(text)
  return tokens.flatMap(({ kind, text: word, line }, at) => {
    const isCall = kind === 'word' && word === 'fetch' && tokens[at + 1]?.text === '('
    const isMethod = tokens[at - 1]?.text === '.' || tokens[at - 1]?.text === 'function'
    return isCall && !isMethod
      ? [{ path, line, message: `calls fetch: requests to other servers go through ${HTTP_CLIENT}` }]
      : []
  })
}

/** Circular imports; types do not count, because they do not exist at run time. */
export function findCycles(sources: Source[]): Violation[] {
  const edges = new Map(
    sources.map(({ path, text }) => [
      path,
      importsOf(text)
        .filter(({ type }) => !type)
        .flatMap(({ name, line }) => ({ target: targetOf(path, name), line })),
    ]),
  )
  const done = new Set<string>()
  const cycles: Violation[] = []
  const visit = (path: string, way: string[]) => {
    if (done.has(path)) return
    for (const { target, line } of edges.get(path) ?? []) {
      if (target === undefined) continue
      const start = [...way, path].indexOf(target)
      if (start === -1) visit(target, [...way, path])
      else cycles.push({ path, line, message: `closes a circle: ${[...way, path, target].slice(start).join(' → ')}` })
    }
    done.add(path)
  }
  for (const path of edges.keys()) visit(path, [])
  return cycles
}

/** All complaints, one per line; seeing no import at all is one too. */
export function checkImports(sources: Source[]): string[] {
  if (!sources.some(({ text }) => importsOf(text).length > 0)) return ['saw no imports: it looked in the wrong place']
  return [...sources.flatMap(checkFile), ...findCycles(sources)].map(inOneLine)
}

export async function checkImportsOfProject(): Promise<string[]> {
  const sources = await readSources(['{src,test,scripts,bench,fuzz,client/src}/**/*.ts'])
  return checkImports(sources.filter(({ path }) => !path.endsWith('.gen.ts')))
}
