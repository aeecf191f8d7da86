import { posix } from 'node:path'
import type { Node } from 'oxc-parser'
import { ONLY_IN, ROLES, type Role, WINGS, WITHOUT_ROLES } from './import-rules.ts'
import { inOneLine, parse, readSources, roomOf, type Source, textOf, type Violation, walk, wingOf } from './source.ts'

/** The last word of a file's name, which says what the file may do. */
function roleOf(path: string): string {
  return posix.basename(path, '.ts').split('.').at(-1) ?? ''
}

export type Import = { name: string; line: number; type: boolean }

type Contents = { imports: Import[]; fetches: { line: number }[] }

/** Each file is looked at several times. */
const known = new Map<string, Contents>()

function contentsOf(source: Source): Contents {
  const contents = known.get(source.text) ?? readContents(source)
  known.set(source.text, contents)
  return contents
}

function readContents(source: Source): Contents {
  const { program, lineOf } = parse(source)
  const imports: Import[] = []
  const fetches: { line: number }[] = []
  const add = (name: Node, type: boolean) =>
    imports.push({ name: textOf(name) ?? '(computed)', line: lineOf(name), type })
  walk(program, (node) => {
    if (node.type === 'ImportDeclaration') add(node.source, node.importKind === 'type')
    else if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
      if (node.source !== null) add(node.source, node.exportKind === 'type')
    } else if (node.type === 'ImportExpression') add(node.source, false)
    else if (node.type === 'TSImportType') add(node.source, true)
    else if (node.type === 'CallExpression' && node.callee.type === 'Identifier' && node.callee.name === 'fetch')
      fetches.push({ line: lineOf(node) })
  })
  return { imports, fetches }
}

/** Every import of a file: static, for its effect, dynamic, of a type, and what is exported from elsewhere. */
export function importsOf(source: Source): Import[] {
  return contentsOf(source).imports
}

/** A package of our own, with fonts that only the processes which draw PDFs load. */
const PDF_TEXT = 'pdf-text/src/'

/** The file that an import names, from the root of the project; undefined for a package. */
function targetOf(path: string, name: string): string | undefined {
  if (/^#(test|bench|proof)\//.test(name)) return name.slice(1)
  if (name.startsWith('#client/')) return `client/src/${name.slice('#client/'.length)}`
  if (name.startsWith('#pdf-text/')) return `${PDF_TEXT}${name.slice('#pdf-text/'.length)}`
  if (name.startsWith('#')) return `src/${name.slice(1)}`
  return name.startsWith('.') ? posix.join(posix.dirname(path), name) : undefined
}

function isTest(path: string): boolean {
  return !path.startsWith('src/') || path.endsWith('.test.ts')
}

/** Imports every test file there is. */
const TEST_RUNNER = 'test/runner/worker.ts'

function checkSpelling(path: string, { name }: Import): string | undefined {
  if (name === '(computed)')
    return path === TEST_RUNNER ? undefined : 'imports a computed name, which cannot be checked'
  const target = targetOf(path, name)
  if (target === undefined) return undefined
  if (!/\.(ts|json)$/.test(target)) return `imports ${name} without its ending`
  if (/\/index\.ts$/.test(target)) return `imports the index file ${name}`
  if (name.startsWith('#') && !name.startsWith('#test/') && roomOf(path) === roomOf(target))
    return `imports ${name}, which is in its own room: use a relative path`
  const isRootFile = /^(src\/)?[^/]+$/.test(target)
  if (name.startsWith('.') && roomOf(path) !== roomOf(target) && !isRootFile)
    return `imports ${name} from another room: use #${target.replace(/^(client\/|pdf-text\/)?src\//, '$1')}`
  return undefined
}

function checkFastify(path: string, { name, type }: Import): string | undefined {
  if (!/^(fastify$|@fastify\/|@scalar\/)/.test(name)) return undefined
  if (/^src\/(platform\/(http|pages)|program\/http)\/|^src\/app\.ts$/.test(path)) return undefined
  if (!WITHOUT_ROLES.has(wingOf(path)) && ['routes', 'site'].includes(roleOf(path))) return undefined
  if (type && WITHOUT_ROLES.has(wingOf(path))) return undefined
  return `imports ${name}: HTTP belongs to platform/http, platform/pages, program/http, routes and site`
}

/** What runs in a process of its own is not loaded into another. */
function checkProcess(path: string, { name, type }: Import): string | undefined {
  const rule = ONLY_IN.find(({ packages }) => packages.test(name))
  if (rule !== undefined && !type && !rule.may.test(path)) return `imports ${name}: ${rule.because}`
  const isProcess = (of: string) => of.endsWith('.process.ts') || of.startsWith(PDF_TEXT)
  const target = targetOf(path, name)
  if (type || target === undefined || !isProcess(target) || isProcess(path)) return undefined
  return `imports ${name}, which runs in a process of its own`
}

/** The one file that sends HTTP requests: its agent refuses private networks. */
const HTTP_CLIENT = 'src/platform/outbound/outbound.ts'

function checkHttpClient(path: string, { name, type }: Import): string | undefined {
  if (type || path === HTTP_CLIENT || !/^(undici|axios|got|node-fetch|(node:)?https?2?)$/.test(name)) return undefined
  return `imports ${name}: requests to other servers go through ${HTTP_CLIENT}`
}

function placeOf(wing: string): number {
  return (WINGS as readonly string[]).indexOf(wing)
}

/** Is the wing of the imported file one that this file's wing may know? */
function checkOrder(path: string, target: string): string | undefined {
  const from = wingOf(path)
  const to = wingOf(target)
  // The files directly under src put the parts together, so they may know all of them.
  if (from === '' || from === to) return undefined
  if (to === '')
    return from === 'program' ? undefined : `imports ${target}: the program knows the resources, not they it`
  return placeOf(to) > placeOf(from) ? `imports ${target}: ${to} is above ${from}` : undefined
}

/** A type runs nothing, so it may come from anywhere but from the database, the queue and HTTP. */
function checkRole(path: string, name: string, role: Role, found: Import): string | undefined {
  const target = targetOf(path, found.name)
  const no = `imports ${found.name}, which ${name} may not`
  if (role.typesOnly && !found.type) return `imports ${found.name} as a value: ${name} holds types only`
  if (found.type && !/^src\/platform\/(db|http|jobs)\/|\b(routes|site)\.ts$/.test(target ?? '')) return undefined
  if (target === undefined) return role.packages.test(found.name) ? undefined : no
  if (wingOf(target) === 'platform') return role.platform.test(target.slice('src/platform/'.length)) ? undefined : no
  const isOwn = roomOf(target) === roomOf(path)
  return role.roles.test(roleOf(target)) || (isOwn && role.ownRoles?.test(roleOf(target))) ? undefined : no
}

/** The client is published without the rest of the project, for browsers too, and depends on nothing. */
function checkClient(path: string, { name }: Import): string | undefined {
  return targetOf(path, name)?.startsWith('client/src/') ? undefined : `imports ${name}: the client stands alone`
}

/** It knows nothing of the service, so that it can be read, and its packages renewed, alone. */
function checkPdfText(path: string, { name }: Import): string | undefined {
  const target = targetOf(path, name)
  return target === undefined || target.startsWith(PDF_TEXT) ? undefined : `imports ${name}: pdf-text stands alone`
}

function checkImport(path: string, found: Import): (string | undefined)[] {
  const spelling = checkSpelling(path, found)
  if (path.startsWith('client/')) return [spelling, checkClient(path, found)]
  if (path.startsWith(PDF_TEXT)) return [spelling, checkPdfText(path, found)]
  if (isTest(path)) return [spelling]
  const target = targetOf(path, found.name)
  if (found.name === '@licet/client' || target?.startsWith('client/'))
    return [spelling, `imports ${found.name}: the client is for other programs`]
  if (target?.startsWith(PDF_TEXT)) return [spelling, checkProcess(path, found)]
  if (target !== undefined && isTest(target) && target !== 'package.json')
    return [spelling, `imports ${found.name}, which is for tests`]
  const role = hasRole(path) ? ROLES[roleOf(path)] : undefined
  return [
    spelling,
    checkFastify(path, found),
    checkProcess(path, found),
    checkHttpClient(path, found),
    target === undefined ? undefined : checkOrder(path, target),
    role === undefined ? undefined : checkRole(path, roleOf(path), role, found),
  ]
}

function hasRole(path: string): boolean {
  const wing = wingOf(path)
  return wing !== '' && !WITHOUT_ROLES.has(wing) && !isTest(path)
}

function checkPlace(path: string): string[] {
  if (posix.basename(path) === 'index.ts') return ['is an index file']
  const wing = wingOf(path)
  if (wing !== '' && placeOf(wing) === -1) return [`lies in ${wing}, which is no wing`]
  if (hasRole(path) && ROLES[roleOf(path)] === undefined) return [`has no role: ${roleOf(path)} is none`]
  return []
}

/** What is wrong with the imports of one file. */
export function checkFile(source: Source): Violation[] {
  const { path } = source
  const place = checkPlace(path).map((message) => ({ path, line: 1, message }))
  const ofImports = importsOf(source).flatMap((found) =>
    [...new Set(checkImport(path, found))]
      .filter((message) => message !== undefined)
      .map((message) => ({ path, line: found.line, message })),
  )
  return [...place, ...ofImports, ...findFetches(source)]
}

/** A call of the global fetch, which is no import. */
function findFetches(source: Source): Violation[] {
  const { path } = source
  if (isTest(path)) return []
  const message = `calls fetch: requests to other servers go through ${HTTP_CLIENT}`
  return contentsOf(source).fetches.map(({ line }) => ({ path, line, message }))
}

/** Circular imports; types do not count, because they do not exist at run time. */
export function findCycles(sources: Source[]): Violation[] {
  const edges = new Map(
    sources.map((source) => [
      source.path,
      importsOf(source)
        .filter(({ type }) => !type)
        .flatMap(({ name, line }) => ({ target: targetOf(source.path, name), line })),
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

type Arrow = { path: string; line: number; to: string }

/** Rooms of one wing that need each other; types do not count. */
export function findRoomCircles(sources: Source[]): Violation[] {
  const arrows = new Map<string, Arrow[]>()
  for (const source of sources) {
    const { path } = source
    if (isTest(path)) continue
    for (const { name, line, type } of importsOf(source)) {
      const target = targetOf(path, name)
      if (type || target === undefined || wingOf(target) !== wingOf(path) || roomOf(target) === roomOf(path)) continue
      arrows.set(roomOf(path), [...(arrows.get(roomOf(path)) ?? []), { path, line, to: roomOf(target) }])
    }
  }
  const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
    from === to || (arrows.get(from) ?? []).some(({ to: next }) => !seen.has(next) && reaches(next, to, seen.add(next)))
  return [...arrows].flatMap(([room, of]) =>
    of
      .filter(({ to }) => reaches(to, room))
      .map(({ path, line, to }) => ({ path, line, message: `needs the room ${to}, which needs ${room}` })),
  )
}

/** All complaints, one per line; seeing no import at all is one too. */
export function checkImports(sources: Source[]): string[] {
  if (!sources.some((source) => importsOf(source).length > 0)) return ['saw no imports: it looked in the wrong place']
  return [...sources.flatMap(checkFile), ...findCycles(sources), ...findRoomCircles(sources)].map(inOneLine)
}

export async function checkImportsOfProject(): Promise<string[]> {
  const sources = await readSources(['{src,test,scripts,bench,fuzz,proof,client/src,pdf-text/src}/**/*.ts'])
  return checkImports(sources.filter(({ path }) => !path.endsWith('.gen.ts')))
}
