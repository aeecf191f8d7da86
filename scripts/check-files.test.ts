import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { brokenLinks, tooFull, tooLong } from './check-files.ts'

describe('links', () => {
  const broken = (text: string) =>
    brokenLinks({ path: 'docs/page.md', text }, (path) => path === 'docs/there.md' || path === 'README.md').map(
      ({ line, message }) => `${line} ${message}`,
    )

  test('to files that are not there are told with their line', () => {
    assert.deepEqual(broken('\n[a](gone.md)'), ['2 links to gone.md, which is not there'])
    assert.deepEqual(broken('[a](there.md) ![b](gone.png "title")'), ['1 links to gone.png, which is not there'])
    assert.deepEqual(broken('[a]: gone.md'), ['1 links to gone.md, which is not there'])
  })

  test('to files that are there, places in a page and other hosts are left alone', () => {
    assert.deepEqual(broken('[a](there.md#part) [b](../README.md) [c](#part) [d](https://example.com/x)'), [])
  })

  test('in code are none', () => {
    assert.deepEqual(broken('```\n[a](gone.md)\n```\n`[b](gone.md)`'), [])
  })
})

test('a folder of the service has at most 25 files', () => {
  const files = (folder: string, count: number) => Array.from({ length: count }, (_, at) => `${folder}/${at}.ts`)
  assert.deepEqual(tooFull([...files('src/catalog/products', 25), ...files('test', 26)]), [])
  for (const folder of ['src/catalog/products', 'admin/src/products'])
    assert.match(tooFull(files(folder, 26))[0]?.message ?? '', /has 26 files; 25 is the end/, folder)
})

test('a file of more than 400 lines is too long, unless it is generated', () => {
  const text = 'a\n'.repeat(401)
  assert.match(tooLong({ path: 'src/a.ts', text })[0]?.message ?? '', /has 401 lines/)
  assert.deepEqual(tooLong({ path: 'src/a.gen.ts', text }), [])
  assert.deepEqual(tooLong({ path: 'src/a.ts', text: 'a\n'.repeat(400) }), [])
})
