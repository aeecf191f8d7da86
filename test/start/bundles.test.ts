import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const { BUNDLED, bundleFile } = await import(new URL('../../bin/bundles.mjs', import.meta.url).href)
const { bundle } = await import(new URL('../../bin/bundle.mjs', import.meta.url).href)

describe('the bundle of a package', () => {
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'licet-bundles-'))
  })
  after(() => rm(folder, { recursive: true }))

  for (const [name, specifiers] of Object.entries<string[]>(BUNDLED)) {
    test(`of ${name} exports what the package exports, and can be made again`, async () => {
      const target = join(folder, `${name}-1.0.0`)
      await bundle(name, target)
      await bundle(name, target)
      for (const specifier of specifiers) {
        const original = Object.keys(await import(specifier))
        const bundled = Object.keys(await import(pathToFileURL(bundleFile(target, specifier)).href))
        assert.ok(original.length > 0)
        assert.deepEqual(bundled, original)
      }
    })
  }
})
