import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkRegexes, findExpressions } from './check-regexes.ts'
import { readSources } from './source.ts'

const PATH = 'src/a.ts'
const complaints = (text: string) =>
  checkRegexes([{ path: PATH, text }], { exceptions: [], composedAllowed: [], fewest: 1 })

describe('refused', () => {
  const refused: [string, RegExp][] = [
    ['const a = /(a+)+$/', /repeats a group/],
    ["const a = text.replace(/[^\\S\\n]*\\n/g, '')", /faster than the text/],
    ['const a = /\\s+$/', /faster than the text/],
    ['const a = /^\\s*(.*?)\\s*$/s', /faster than the text/],
    ["Type.String({ pattern: '^(a|a)*$' })", /repeats a group/],
    ["Type.String({ pattern: '^\\\\s*\\\\s*$' })", /faster than the text/],
    ["const NAME_PATTERN = '^\\\\w+\\\\w+$'", /faster than the text/],
    ["const a = new RegExp('x*x*$')", /faster than the text/],
    ['const a = new RegExp(`x*x*$`)', /faster than the text/],
    ["const A_PATTERN: string = 'x*x*$'", /faster than the text/],
    ["const b = /x/\nconst a = new RegExp(A_PATTERN + 'x')", /list it with a reason/],
    ['const a = /(a)\\1/', /backreference/],
    ['const a = /(?<=\\s+)x/', /lookbehind/],
    ['const b = /x/\nconst a = new RegExp(text)', /list it with a reason/],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: this text is source code.
    ['const b = /x/\nconst a = new RegExp(`^${text}`)', /list it with a reason/],
  ]
  for (const [text, why] of refused) {
    test(text.replaceAll('\n', ' '), () => {
      const found = complaints(text)
      assert.equal(found.length, 1, found.join('\n'))
      assert.match(found[0] ?? '', why)
    })
  }
})

describe('accepted', () => {
  const accepted = [
    'const a = /^\\w+$/',
    'const a = /\\s+/g',
    'const a = /<[^<>]*>/g',
    "Type.String({ pattern: '^[A-Z]{3}$' })",
    'const a = /(?<=@)x/',
    'const a = /[)*]+(ab)?/',
    'type A = { pattern: string; b: typeof b }\nconst b = /x/',
    "const EMAIL_PATTERN = '^a$'\nconst a = new RegExp(EMAIL_PATTERN, 'u')",
  ]
  for (const text of accepted) test(text.replaceAll('\n', ' '), () => assert.deepEqual(complaints(text), []))
})

test('an exception holds for its expression in its file, and is reported when nothing needs it', () => {
  const sources = [{ path: PATH, text: 'const a = /=+$/' }]
  const exception = { path: PATH, source: '=+$', because: 'of this test' }
  const options = { composedAllowed: [], fewest: 1 }
  assert.deepEqual(checkRegexes(sources, { ...options, exceptions: [exception] }), [])
  const other = { ...exception, source: 'x' }
  assert.match(checkRegexes(sources, { ...options, exceptions: [exception, other] }).join(), /needs no exception/)
})

test('seeing few expressions is a failure, and the project has many', async () => {
  assert.match(checkRegexes([{ path: PATH, text: 'const a = /x/' }]).join(), /saw only 1 /)
  const sources = await readSources(['src/**/*.ts'])
  const found = sources
    .filter(({ path }) => !path.endsWith('.test.ts'))
    .flatMap((source) => findExpressions(source).found)
  assert.ok(found.length > 140, String(found.length))
  assert.ok(found.some(({ path, flags }) => path.endsWith('schema.ts') && flags === 'u'))
})
