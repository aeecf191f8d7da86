import { posix } from 'node:path'
import { ORDER, OTHER, PROGRAM, ROLES, type Role, TELLING_NAMES, WITHOUT_ROLES } from './import-rules.ts'
import { inOneLine, readSources, type Source, scan, type Violation } from './source.ts'

/** The name that says what a file may do: its own, or that of its role. */
function roleName(path: string): string {
  return TELLING_NAMES[path] ?? posix.basename(path)
}

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
  if (/^src\/(platform\/http|pages)\//.test(path) || /^src\/(app|account-pages|shop-pages|admin-api)\.ts$/.test(path))
    return undefined
  if (['routes.ts', 'site.ts'].includes(roleName(path))) return undefined
  if (type && (folderOf(path) === 'platform' || PROGRAM.has(folderOf(path)))) return undefined
  return `imports ${name}: HTTP belongs to platform/http, pages, app.ts, routes.ts and site.ts`
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
  // It writes documents and reads none.
  if (/^src\/(invoices\/pdf|platform\/pdf\/\w[\w-]*)\.ts$/.test(path) && name === '@cantoo/pdf-lib') return undefined
  // It unpacks one part of a book at a time, with a limit on its size.
  if (path === 'src/storefront/reader/book.ts' && name === 'yauzl') return undefined
  const isParser = /^(@cantoo\/pdf-lib|yauzl|saxes)$/.test(name) || STAMPER.test(targetOf(path, name) ?? '')
  if (type || isStamper || !isParser) return undefined
  return `imports ${name}: files are stamped in a process of its own`
}

const DRAWS = /^src\/(invoices\/(pdf|renderer-process)|stamping\/pdf|platform\/pdf\/[\w.-]+)\.ts$/

/** Fonts and long documents take seconds, in which the process that draws answers nobody. */
function checkRenderer(path: string, { name, type }: Import): string | undefined {
  const isDrawing = /^src\/(invoices\/pdf\.ts|platform\/pdf\/)/.test(targetOf(path, name) ?? '')
  if (type || !isDrawing || DRAWS.test(path)) return undefined
  return `imports ${name}: PDFs are drawn in a process of its own`
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
    checkRenderer(path, found),
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
