import assert from 'node:assert/strict'
import { test } from 'node:test'
import { brokenMarkup } from './markup.ts'

const document = (body: string) =>
  `<!doctype html>\n<html lang="en"><head><title>T</title></head><body>${body}</body></html>`
const around = (...inside: string[]) => [
  'html',
  'html head',
  'html head title',
  'html body',
  ...inside.map((path) => `html body ${path}`),
]

test('a document in order has no faults', () => {
  const source = document(
    '<p id="a">1 &lt; 2<br></p><svg viewBox="0 0 1 1"><path d="M0 0"/></svg><label for="b">B</label><input id="b" required>',
  )
  assert.deepEqual(brokenMarkup(source, around('p', 'p br', 'svg', 'svg path', 'label', 'input')), [])
})

const broken: [string, string, string[], RegExp][] = [
  ['an element that is never closed', '<p><b>x</p>', ['p', 'p b'], /<\/p> closes <b>/],
  [
    'an element that the browser puts elsewhere',
    '<p><div></div></p>',
    ['p', 'div', 'p'],
    /<html body p div> became <html body div>/,
  ],
  ['a name for two elements', '<p id="a"></p><p id="a"></p>', ['p', 'p'], /two elements are called a/],
  ['a label for nothing', '<label for="a">A</label>', ['label'], /nothing is called a/],
  ['a field without a label', '<input type="text" name="q">', ['input'], /the field q has no label/],
  ['a style of its own', '<p style="color:red"></p>', ['p'], /an attribute style/],
  ['a script', '<script></script>', ['script'], /there is a <script>/],
  ['an attribute twice', '<p class="a" class="b"></p>', ['p'], /<p> has class twice/],
  ['a stray bracket', '<p>1 < 2</p>', ['p'], /a < that opens nothing/],
]
for (const [what, body, paths, words] of broken) {
  test(`${what} is a fault`, () => {
    assert.match(brokenMarkup(document(body), around(...paths)).join('\n'), words)
  })
}
