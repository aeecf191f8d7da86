import type { Random } from '#program/demo/random.ts'

/** Values are JSON texts, because JavaScript cannot hold some of them: 1e400, a hundred thousand lists in each other. */

const SCALARS = [
  'null',
  'true',
  'false',
  '0',
  '-0',
  '1',
  '-1',
  '1.5',
  '1e308',
  '-1e308',
  '1e400',
  '1e-400',
  '2147483648',
  '9007199254740991',
  '9007199254740993',
  '-9223372036854775809',
  '18446744073709551616',
  '""',
  '" "',
  '"0"',
  '"1"',
  '"-1"',
  '"true"',
  '"null"',
  '"[]"',
  '"{}"',
  '"0x10"',
  '"1e3"',
  '"NaN"',
  '"Infinity"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00a"',
  '"\\ud83d\\ude00"',
  '"\\u202e"',
  '"\\ufeff"',
  '"\\uffff"',
  '"2024-02-30"',
  '"2024-06-10T09:30:00+99:99"',
  '"9999-12-31T23:59:59-14:00"',
  '"0000-01-01"',
  '"now"',
  '"\'; drop table orders; --"',
  '"<script>alert(1)</script>"',
  '"../../../etc/passwd"',
  '"%00"',
  '"{{7*7}}"',
  '"http://127.0.0.1/"',
  '"javascript:alert(1)"',
  '"file:///etc/passwd"',
  '"a@b"',
  '"constructor"',
  '"__proto__"',
  '"field:value"',
  '"email:"',
  '"title:\\u0000"',
  '",,,"',
  '"1,2,x"',
  '"EUR"',
  '"xx"',
  '"DE"',
]

const ENTRIES = ['0', '{}', '""', '[]', 'null', '"a"', '{"id":1}', '1e400']

/** Most are small: a large request takes as long as hundreds of small ones. */
function size(random: Random, small: number, large: number, huge: number): number {
  if (random.often(0.02)) return huge
  return random.often(0.1) ? large : 1 + random.below(small)
}

function longText(random: Random): string {
  const piece = random.pick(['a', ' ', '\\u0000', '\\u0315\\u0300', 'é', '\\ud800', '<b>', '&', '@', ',', '0'])
  return `"${piece.repeat(Math.ceil(size(random, 300, 70_000, 1_900_000) / piece.length))}"`
}

function longList(random: Random): string {
  const entry = random.pick(ENTRIES)
  const count = Math.ceil(size(random, 600, 30_000, 1_900_000) / (entry.length + 1))
  return `[${Array(count).fill(entry).join(',')}]`
}

function deepValue(random: Random): string {
  const levels = size(random, 100, 10_000, 300_000)
  const [opening, closing] = random.pick([
    ['[', ']'],
    ['{"a":', '}'],
  ] as const)
  return `${opening.repeat(levels)}0${closing.repeat(levels)}`
}

function wideObject(random: Random): string {
  const count = size(random, 50, 3000, 120_000)
  const names = Array.from({ length: count }, (_each, index) => `"${index.toString(36)}":0`)
  return `{${random.often(0.2) ? '"__proto__":{"a":1},"constructor":{"prototype":{}},' : ''}${names.join(',')}}`
}

const longNumber = (random: Random) => '9'.repeat(size(random, 400, 10_000, 1_000_000))

/** A value that no schema expects. */
export function hostileJson(random: Random): string {
  if (random.often(0.75)) return random.pick(SCALARS)
  return random.pick([longText, longList, deepValue, wideObject, longNumber])(random)
}

const TEXT_MAX = 4000

/** A text for a path, a query, a header or a form. */
export function hostileText(random: Random, lengthMax = TEXT_MAX): string {
  const json = random.often(0.8) ? random.pick(SCALARS) : longText(random)
  const value: unknown = JSON.parse(json)
  return (typeof value === 'string' ? value : json).slice(0, lengthMax)
}
