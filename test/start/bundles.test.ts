import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licet-bundles-'))
})
after(() => rm(folder, { recursive: true }))

/** Bundles everything, twice, and tells what packages and bundles export. */
const PROGRAM = `
  import { join } from 'node:path'
  import { pathToFileURL } from 'node:url'
  import { bundle } from './bin/bundle.mjs'
  import { BUNDLED, bundleFile } from './bin/bundles.mjs'
  const exported = {}
  for (const [name, specifiers] of Object.entries(BUNDLED)) {
    const target = join(process.argv[1], name)
    for (let times = 0; times < 2; times += 1) await bundle(name, target)
    for (const specifier of specifiers) {
      const bundled = await import(pathToFileURL(bundleFile(target, specifier)).href)
      exported[specifier] = [Object.keys(await import(specifier)), Object.keys(bundled)]
    }
  }
  console.log(JSON.stringify(exported))`

test('bundles export what their packages export, and can be made again', () => {
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', PROGRAM, folder], { cwd: ROOT })
  const exported = JSON.parse(told.toString()) as Record<string, [string[], string[]]>
  assert.ok(Object.keys(exported).length > 0)
  for (const [original, bundled] of Object.values(exported)) {
    assert.ok(original.length > 0)
    assert.deepEqual(bundled, original)
  }
})

/** Bundles a small service, and tells what it would start with: at first, after a change, and without a source. */
const STARTS = `
  import { mkdir, rm, utimes, writeFile } from 'node:fs/promises'
  import { join } from 'node:path'
  import { bundleService, serviceEntry } from './bin/service-bundle.mjs'
  const root = join(process.argv[1], 'program')
  const folder = join(root, 'node_modules', '.cache', 'service')
  const source = (name) => join(root, 'src', name)
  await mkdir(source('beside'), { recursive: true })
  await writeFile(source('beside/place.ts'), 'export const place: string = new URL("text.txt", import.meta.url).href')
  await writeFile(source('main.ts'), 'export { place } from "./beside/place.ts"; export const folder = import.meta.dirname')
  const entries = [serviceEntry(root, folder)]
  await bundleService(root, folder)
  entries.push(serviceEntry(root, folder))
  const { place, folder: dirname } = await import(serviceEntry(root, folder))
  await utimes(source('beside/place.ts'), 1, 1)
  entries.push(serviceEntry(root, folder))
  await bundleService(root, folder)
  entries.push(serviceEntry(root, folder))
  await rm(source('beside/place.ts'))
  entries.push(serviceEntry(root, folder))
  console.log(JSON.stringify({ entries, place, dirname }))`

test('the service starts with its bundle until a source changes, and finds the files beside its sources', () => {
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', STARTS, folder], { cwd: ROOT })
  const { entries, place, dirname } = JSON.parse(told.toString()) as {
    entries: string[]
    place: string
    dirname: string
  }
  assert.deepEqual(
    entries.map((entry) => entry.slice(entry.indexOf('/program/'))),
    ['/program/src/main.ts', ...['main.mjs', '', 'main.mjs', ''].map((name) => inBundle(name))],
  )
  assert.match(place, /\/program\/src\/beside\/text\.txt$/)
  assert.match(dirname, /\/program\/src\/$/)
})

/** Bundles a small service whose packages lie in another place, as where several releases share them. */
const ELSEWHERE = `
  import { mkdir, symlink, writeFile } from 'node:fs/promises'
  import { join } from 'node:path'
  import { bundleService, serviceEntry } from './bin/service-bundle.mjs'
  const root = join(process.argv[1], 'release')
  const packages = join(process.argv[1], 'shared', 'packages', 'node_modules')
  await mkdir(join(root, 'src'), { recursive: true })
  await mkdir(packages, { recursive: true })
  await symlink(packages, join(root, 'node_modules'))
  await writeFile(join(root, 'src', 'main.ts'), 'export const place: string = new URL("text.txt", import.meta.url).href')
  const folder = join(root, 'node_modules', '.cache', 'service')
  await bundleService(root, folder)
  const { place } = await import(serviceEntry(root, folder))
  console.log(place)`

test('the service finds the files beside its sources if its packages are a link to another place', () => {
  const told = execFileSync(process.execPath, ['--input-type=module', '--eval', ELSEWHERE, folder], { cwd: ROOT })
  assert.match(told.toString(), /\/release\/src\/text\.txt\n$/)
})

function inBundle(name: string): string {
  return name === '' ? '/program/src/main.ts' : `/program/node_modules/.cache/service/${name}`
}
