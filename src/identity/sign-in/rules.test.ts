import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { browserName } from '#identity/users/sessions/rules.ts'
import { translatorOf } from '#platform/text/messages.ts'
import { emailMistakes, HOME, nameMistakes, passwordMistakes, returnPath, waitText } from './rules.ts'

const t = translatorOf('en')

/** The parts of addresses that lead elsewhere. */
const PARTS = [
  '/',
  '//',
  '\\',
  '.',
  '..',
  '%2e',
  '%2E%2e',
  '%2f',
  '%5c',
  ';',
  '@',
  ':',
  '?',
  '#',
  '&',
  ' ',
  '\t',
  '\n',
  '\r',
  '\0',
  '\u00a0',
  '\u2028',
  '\uff0f',
  '\u3002',
  'evil.example',
  'https:',
  'http://',
  'javascript:',
  'data:',
  'a',
]
const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 50 }),
  fc.webUrl(),
  fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => parts.join('')),
  fc.array(fc.constantFrom(...PARTS), { maxLength: 12 }).map((parts) => `/${parts.join('')}`),
)

describe('the page after sign-in', () => {
  test('is always a page of this service', () => {
    let kept = 0
    fc.assert(
      fc.property(nasty, fc.constantFrom('https://shop.example', 'http://127.0.0.1:3000'), (text, here) => {
        const path = returnPath(text)
        if (path !== HOME) kept += 1
        assert.match(path, /^\/(?![/\\])[\x21-\x7e]*$/)
        assert.equal(new URL(path, `${here}/sign-in`).origin, here)
        assert.equal(returnPath(path), path)
      }),
      { numRuns: 5000 },
    )
    assert.ok(kept > 100, `only ${kept} were places on this service`)
  })

  test('is the admin interface for addresses that lead elsewhere', () => {
    const elsewhere = [
      '',
      'account',
      '//evil.example',
      '/\\evil.example',
      '\\/evil.example',
      '///evil.example',
      '/\t/evil.example',
      '/\n/evil.example',
      '/\r\n/evil.example',
      '/.//evil.example',
      '/a/..//evil.example',
      '/%2e//evil.example',
      'https://evil.example',
      'javascript:alert(1)',
      'data:text/html,x',
      ' /admin/settings',
      '\0/admin/settings',
      `/${'x'.repeat(5000)}`,
      `/${'ü'.repeat(2000)}`,
    ]
    for (const text of elsewhere) assert.equal(returnPath(text), HOME, JSON.stringify(text.slice(0, 40)))
  })

  test('is the requested one, with its query', () => {
    const cases: [string, string][] = [
      ['/admin/settings', '/admin/settings'],
      [
        '/oauth2/auth?redirect_uri=https://app.example/?a=//b&state=%2F',
        '/oauth2/auth?redirect_uri=https://app.example/?a=//b&state=%2F',
      ],
      ['/a/../admin', '/admin'],
      ['/admin?x=\r\nSet-Cookie: a=b', '/admin?x=Set-Cookie:%20a=b'],
      ['/ü', '/%C3%BC'],
    ]
    for (const [text, path] of cases) assert.equal(returnPath(text), path)
  })
})

test('a browser has a name that its user knows', () => {
  const cases: [string, string][] = [
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36',
      'Chrome on Windows',
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Safari/537.36 Edg/130.0.0.0',
      'Edge on Windows',
    ],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0', 'Firefox on Linux'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari on macOS',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari on iPhone',
    ],
    [
      'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/130.0.0.0 Mobile Safari/537.36',
      'Chrome on Android',
    ],
    ['curl/8.0', 'A browser'],
    ['', 'A browser'],
    ['<script>Firefox/1', 'Firefox'],
  ]
  for (const [userAgent, name] of cases) assert.equal(browserName(userAgent), name)
})

test('a wait is given in words', () => {
  const waits = [1, 2, 119, 120, 121, 900].map((seconds) => / in (\d.*)\.$/.exec(waitText(t, seconds))?.[1])
  assert.deepEqual(waits, ['1 second', '2 seconds', '119 seconds', '2 minutes', '3 minutes', '15 minutes'])
  assert.equal(waitText(translatorOf('de'), 1), 'Es gab zu viele Versuche. Versuchen Sie es in 1 Sekunde wieder.')
})

describe('the errors of a form', () => {
  test('include a password that is too short, too long or typed in two ways', () => {
    const wrong = (password: string, password_confirmation = password) =>
      Object.keys(passwordMistakes(t, { password, password_confirmation }))
    assert.deepEqual(wrong('12345678'), [])
    assert.deepEqual(wrong('📚'.repeat(64)), [])
    assert.deepEqual(wrong('📚'.repeat(7)), ['password'])
    assert.deepEqual(wrong('x'.repeat(65)), ['password'])
    assert.deepEqual(wrong('12345678', '12345679'), ['password_confirmation'])
    assert.deepEqual(wrong('1234567', 'x'), ['password'])
  })

  test('include a name that is missing, too long or cannot be stored', () => {
    const wrong = (name: string) => Object.keys(nameMistakes(t, { name }))
    for (const name of ['Jane', '李', '📚'.repeat(100), ` ${'x'.repeat(100)} `]) assert.deepEqual(wrong(name), [], name)
    for (const name of ['', ' ', '\t\n', 'a\0b', 'x'.repeat(101), '📚'.repeat(101)])
      assert.deepEqual(wrong(name), ['name'], JSON.stringify(name))
  })

  test('include an address that mail cannot be sent to', () => {
    const wrong = (email: string) => Object.keys(emailMistakes(t, { email }))
    for (const email of ['a@b', ' Jane.Roe+shop@example.com ', 'jané@exämple.com'])
      assert.deepEqual(wrong(email), [], email)
    for (const email of [
      '',
      'a',
      'a@',
      '@b',
      'a@b@c',
      'a b@c',
      'a,b@c',
      'a@b\nBcc: x@y',
      'a\0@b',
      `a@${'b'.repeat(99)}`,
    ])
      assert.deepEqual(wrong(email), ['email'], JSON.stringify(email))
  })
})
