import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { findTestFiles, unknownWords } from './files.ts'

/** With their lengths. */
const FILES = {
  'src/selling/orders/create.test.ts': 3,
  'src/selling/orders/refunds/refunds.test.ts': 2,
  'src/selling/orders-export/export.test.ts': 9,
  'src/selling/payments/methods.test.ts': 1,
  'src/selling/orders/rules.ts': 9,
  'test/start/orders.test.ts': 1,
}

let root: string

before(async () => {
  root = await mkdtemp(join(tmpdir(), 'licet-test-files-'))
  for (const [file, length] of Object.entries(FILES)) {
    await mkdir(dirname(join(root, file)), { recursive: true })
    await writeFile(join(root, file), ' '.repeat(length))
  }
})

after(() => rm(root, { recursive: true, force: true }))

const find = (...words: string[]) => findTestFiles(words, { root, patterns: ['test/**/*.test.ts', 'src/**/*.test.ts'] })

describe('the test files that are run', () => {
  test('are all of them, those of whole programs first, and then the longest', async () => {
    assert.deepEqual(await find(), [
      'test/start/orders.test.ts',
      'src/selling/orders-export/export.test.ts',
      'src/selling/orders/create.test.ts',
      'src/selling/orders/refunds/refunds.test.ts',
      'src/selling/payments/methods.test.ts',
    ])
  })

  const cases: [string[], string[]][] = [
    [['orders'], ['test/start/orders', 'src/selling/orders/create', 'src/selling/orders/refunds/refunds']],
    [['selling/orders'], ['src/selling/orders/create', 'src/selling/orders/refunds/refunds']],
    [
      ['refunds', 'payments'],
      ['src/selling/orders/refunds/refunds', 'src/selling/payments/methods'],
    ],
    [['src/selling/orders/create.test.ts'], ['src/selling/orders/create']],
    [['./src/selling/payments/'], ['src/selling/payments/methods']],
    [['order'], []],
  ]
  for (const [words, files] of cases)
    test(`are those with ${words.join(' or ')} in their path`, async () => {
      assert.deepEqual(
        await find(...words),
        files.map((file) => `${file}.test.ts`),
      )
    })

  test('of the project have all of its wings in their paths', async () => {
    assert.deepEqual(await unknownWords(['catalog', 'selling/orders', 'test/runner/files', 'nowhere']), ['nowhere'])
  })
})
