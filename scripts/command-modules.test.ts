import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { importsOf } from './check-imports.ts'
import { parse, ROOT } from './source.ts'

const run = promisify(execFile)
const COMMANDS = 'src/program/command-line/commands.ts'

/** What a module loads with itself: everything that it imports, except types and what it imports later. */
function loadedWith(path: string): string[] {
  const { program } = parse({ path, text: readFileSync(join(ROOT, path), 'utf8') })
  return program.body.flatMap((node) => {
    if (node.type === 'ImportDeclaration') return node.importKind === 'type' ? [] : node.source.value
    if (node.type === 'ExportAllDeclaration') return node.exportKind === 'type' ? [] : node.source.value
    if (node.type === 'ExportNamedDeclaration')
      return node.source === null || node.exportKind === 'type' ? [] : node.source.value
    return []
  })
}

const fileOf = (name: string, from: string) =>
  name.startsWith('#') ? `src/${name.slice(1)}` : name.startsWith('.') ? join(dirname(from), name) : undefined

/** The modules of our own, and the packages, that are loaded with a module. */
function graphOf(entry: string): { own: Set<string>; packages: Set<string> } {
  const [own, packages] = [new Set([entry]), new Set<string>()]
  for (const path of own)
    for (const name of path.endsWith('.ts') ? loadedWith(path) : []) {
      const file = fileOf(name, path)
      if (file !== undefined) own.add(file)
      else if (!name.startsWith('node:')) packages.add(/^(@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name)
    }
  return { own, packages }
}

/** Two hundred modules take a few tenths of a second of processor time; the whole service has more than a thousand. */
const OWN_MAX = 200
const HEAVY = ['fastify', 'liquidjs', 'sharp', 'nodemailer', 'pdfkit', 'pino', '@opentelemetry/api', 'prom-client']
/** The service itself, its pages, the demo shop and the documents of everything. */
const OF_SERVICE =
  /^src\/(app|worker|resources)\.ts|^src\/program\/(demo|http|rebuild|boot\/service)|\/(routes|site|views|theme)\.ts$/

const parts = importsOf({ path: COMMANDS, text: readFileSync(join(ROOT, COMMANDS), 'utf8') })
  .filter(({ type }) => !type)
  .map(({ name }) => fileOf(name, COMMANDS) ?? '')

test('every command is a module that is loaded when it is called', () => {
  assert.ok(parts.length > 25, `saw ${parts.length} commands only`)
  assert.deepEqual(
    [...graphOf('src/main.ts').own].filter((path) => parts.includes(path)),
    [],
  )
})

for (const path of new Set(parts))
  test(`${path} loads what its command needs, and not the service`, () => {
    const { own, packages } = graphOf(path)
    assert.ok(own.size <= OWN_MAX, `${own.size} modules`)
    assert.deepEqual(
      HEAVY.filter((name) => packages.has(name)),
      [],
    )
    assert.deepEqual(
      [...own].filter((each) => OF_SERVICE.test(each)),
      [],
    )
  })

test('the program loads no more for a command than that', async () => {
  const hook = fileURLToPath(new URL('./loaded-modules.mjs', import.meta.url))
  const program = join(ROOT, 'src/main.ts')
  const { stderr } = await run(process.execPath, ['--import', hook, program, 'tax-rate', 'list', '--help'])
  const [, loaded = '[]'] = /^loaded (.*)$/m.exec(stderr) ?? []
  const urls: string[] = JSON.parse(loaded)
  const own = urls.flatMap((url) => /\/(src\/.*\.ts)$/.exec(url)?.[1] ?? [])
  const expected = new Set(
    ['src/main.ts', 'src/program/command-line/company/tax-rates.ts'].flatMap((path) => [...graphOf(path).own]),
  )
  assert.ok(own.length > 20, `the hook saw ${own.length} modules`)
  assert.deepEqual(
    own.filter((path) => !expected.has(path)),
    [],
  )
})
