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
