import assert from 'node:assert/strict'
import { test } from 'node:test'
import { firstLoad, lateWords } from './check-admin.ts'

test('what the page names is loaded before the first screen', () => {
  const files = [
    { type: 'asset', fileName: 'index.html', source: '<script src="/admin/a.js"></script>' },
    { type: 'chunk', fileName: 'a.js', code: '' },
    { type: 'chunk', fileName: 'b.js', code: '' },
  ] as const
  assert.deepEqual(
    firstLoad(files).map(({ fileName }) => fileName),
    ['a.js'],
  )
})

test('the first screen says nothing that is loaded after it', () => {
  const text = "t('home.title'); t('orders.paid'); const file = 'orders.csv'.length; t('mails.title')"
  assert.deepEqual(lateWords([{ path: 'home.tsx', text }], new Set(['home', 'orders', 'mails']), ['home', 'orders']), [
    'home.tsx says mails.t…, which comes after the first screen',
  ])
})
