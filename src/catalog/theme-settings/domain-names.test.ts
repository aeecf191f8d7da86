import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { FieldReport, type Problem } from '#platform/errors/problem.ts'
import { ownHost } from '#platform/wire/own-address.ts'
import { changeHosts, hostKey, readHostName, readLabel } from './domains.rules.ts'

const OWN = 'shops.example.com'
const LONG = 'a'.repeat(63)

describe('a host name', () => {
  for (const [text, host] of [
    ['shop.example.com', 'shop.example.com'],
    ['Shop.EXAMPLE.com', 'shop.example.com'],
    ['example.com.', 'example.com'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['BÜCHER.example', 'xn--bcher-kva.example'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['例え。テスト', 'xn--r8jz45g.xn--zckzah'],
    ['1.2.3.example', '1.2.3.example'],
    [`${LONG}.example`, `${LONG}.example`],
    [`${`${LONG}.`.repeat(3)}${'a'.repeat(61)}`, `${`${LONG}.`.repeat(3)}${'a'.repeat(61)}`],
  ] as const) {
    test(`${text}: ${host}`, () => assert.equal(readHostName(text), host))
  }

  for (const text of [
    'https://shop.example.com',
    '//shop.example.com',
    'shop.example.com:443',
    'shop.example.com/',
    'shop.example.com/path',
    'shop.example.com?a',
    'shop.example.com#a',
    'jane@shop.example.com',
    'shop.example.com\\a',
    'shop example.com',
    'shop.example\n.com',
    'shop.%65xample.com',
    'shop',
    'localhost',
    'shop.localhost',
    'LOCALHOST.',
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '127.1',
    '1.2.3.4.5',
    '[::1]',
    '::1',
    '.example.com',
    'shop..example.com',
    'shop.example.com..',
    '.',
    '-shop.example.com',
    'shop-.example.com',
    'sh_op.example.com',
    '*.example.com',
    'sh\0op.example.com',
    `a${LONG}.example`,
    `${LONG}.${LONG}.${LONG}.${LONG}`,
    `${'ü'.repeat(63)}.example`,
  ]) {
    test(`${JSON.stringify(text).slice(0, 40)}: none`, () => assert.equal(readHostName(text), undefined))
  }
})

describe('a label', () => {
  for (const [text, label] of [
    ['books', 'books'],
    ['Books-2', 'books-2'],
    ['2books', '2books'],
    ['bücher', 'xn--bcher-kva'],
    [LONG, LONG],
    ['1000', undefined],
    ['0x10', undefined],
    ['a.b', undefined],
    ['books.', 'books'],
    ['-books', undefined],
    ['books-', undefined],
    ['bo_oks', undefined],
    ['bo oks', undefined],
    ['books/x', undefined],
    ['books:1', undefined],
    ['*', undefined],
    [`a${LONG}`, undefined],
  ] as const) {
    test(`${text.slice(0, 40)}: ${label}`, () => assert.equal(readLabel(text), label))
  }
})

describe('the hosts of a shop after a body', () => {
  const BEFORE = { sub_domain: '1000', vanity_domain: 'books', shop_domain: 'a.example', access_domain: 'b.example' }
  const faults = (input: object, before = BEFORE) => {
    const report = new FieldReport()
    changeHosts(before, input, OWN, report)
    try {
      report.throwIfAny()
      return []
    } catch (problem) {
      return Object.keys((problem as Problem).fields ?? {})
    }
  }

  for (const [input, after] of [
    [{}, {}],
    [{ vanity_domain: undefined }, {}],
    [{ vanity_domain: null }, { vanity_domain: '' }],
    [{ shop_domain: ' ' }, { shop_domain: '' }],
    [{ shop_domain: ' NEW.example ' }, { shop_domain: 'new.example' }],
    [
      { shop_domain: 'b.example', access_domain: 'a.example' },
      { shop_domain: 'b.example', access_domain: 'a.example' },
    ],
    [{ shop_domain: 'A.example' }, {}],
  ] as const) {
    test(JSON.stringify(input), () => {
      const report = new FieldReport()
      assert.deepEqual(changeHosts(BEFORE, input, OWN, report), { ...BEFORE, ...after })
      report.throwIfAny()
    })
  }

  for (const [input, fields] of [
    [{ shop_domain: OWN }, ['shop_domain']],
    [{ access_domain: `x.y.${OWN.toUpperCase()}` }, ['access_domain']],
    [{ shop_domain: `not${OWN}` }, []],
    [{ vanity_domain: 'www' }, ['vanity_domain']],
    [{ vanity_domain: 'API' }, ['vanity_domain']],
    [{ vanity_domain: '1001' }, ['vanity_domain']],
    [{ shop_domain: 'b.example' }, ['shop_domain']],
    [{ access_domain: 'a.example' }, ['access_domain']],
    [{ shop_domain: 'c.example', access_domain: 'c.example' }, ['access_domain']],
    [
      { shop_domain: 'http://c.example', access_domain: 'x', vanity_domain: 'x.y' },
      ['access_domain', 'shop_domain', 'vanity_domain'],
    ],
  ] as const) {
    test(`${JSON.stringify(input)} blames ${fields.join(', ') || 'nothing'}`, () =>
      assert.deepEqual(faults(input).sort(), fields))
  }

  // The service's address may change under a shop that is there already.
  test('are not judged again where they stay', () => {
    const before = { ...BEFORE, vanity_domain: 'www', shop_domain: `x.${OWN}` }
    assert.deepEqual(faults(before, before), [])
  })
})

describe('what a shop is found by', () => {
  for (const [asked, key] of [
    ['shop.example.com', 'shop.example.com'],
    ['SHOP.example.com:8080', 'shop.example.com'],
    ['shop.example.com.', 'shop.example.com'],
    [`1000.${OWN}`, '1000'],
    [`Books.${OWN}:443`, 'books'],
    [OWN, undefined],
    [`${OWN}:443`, undefined],
    [`.${OWN}`, undefined],
    [`a.b.${OWN}`, undefined],
    [`not${OWN}`, `not${OWN}`],
    ['1000', undefined],
    ['books:80', undefined],
    ['', undefined],
    ['[::1]:80', undefined],
  ] as const) {
    test(`${asked}: ${key}`, () => assert.equal(hostKey(asked, OWN), key))
  }
})

describe("the service's own host", () => {
  for (const [baseUrl, host] of [
    ['https://Shops.example.com:8443/base', 'shops.example.com'],
    ['http://shops.example.com.', 'shops.example.com'],
    ['http://localhost:3000', 'localhost'],
    // Names cannot be below an IP address, and these lead to the machine itself.
    ['http://127.0.0.1:3000', 'localhost'],
    ['http://[::1]:3000', 'localhost'],
  ] as const) {
    test(`${baseUrl}: ${host}`, () => assert.equal(ownHost(baseUrl), host))
  }
})
