import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { createLog } from '../log/log.ts'
import { beforeSecret, createRequestLog, withoutSecrets as withoutSecretsBehind } from './request-log.ts'

const before = beforeSecret(['/reset/:token', '/invitation/:token', '/members/login/:id/:token', '/shop/:shop~:token'])
const withoutSecrets = (url: string) => withoutSecretsBehind(url, before)

const TOKEN = 'opens-a-door_0123456789-0123456789-01234567'

test('an address in the log has nothing in it that opens a door', () => {
  const cases: [string, string][] = [
    [`/reset/${TOKEN}`, '/reset/…'],
    [`/reset/${TOKEN}?x=1`, '/reset/…?x=1'],
    [`/reset/${TOKEN}/more/${TOKEN}`, '/reset/…'],
    [`/invitation/${TOKEN}`, '/invitation/…'],
    [`/first-run/${TOKEN}`, `/first-run/${TOKEN}`],
    [`//reset//${TOKEN}`, '//reset//…'],
    [`/Reset/${TOKEN}`, '/Reset/…'],
    [`/%72eset/${TOKEN}`, '/reset/…'],
    [`/reset%2f${TOKEN}`, '/reset/…'],
    [`/%72eset/${TOKEN}%zz%ff`, '/reset/…'],
    [`/members/login/1000/${TOKEN}`, '/members/login/1000/…'],
    [`/members/login/1000/${TOKEN}?x=1`, '/members/login/1000/…?x=1'],
    [`/shop/1000~${TOKEN}/categories/7?sort=title`, '/shop/1000~…?sort=title'],
    [`/shop/1000%7e${TOKEN}/`, '/shop/1000~…'],
    [`/api/products.json?access_token=${TOKEN}&limit=1`, '/api/products.json?access_token=…&limit=1'],
    [`/api/products.json?limit=1&ACCESS%5Ftoken=${TOKEN}`, '/api/products.json?limit=1&ACCESS%5Ftoken=…'],
    [`/token?refresh_token=${TOKEN}&code_verifier=${TOKEN}`, '/token?refresh_token=…&code_verifier=…'],
    [`/sign-in?email=a&password=${TOKEN}`, '/sign-in?email=…&password=…'],
    [`/account?current_password=${TOKEN}&_csrf=${TOKEN}`, '/account?current_password=…&_csrf=…'],
    [`/x?%zz=${TOKEN}`, '/x?%zz=…'],
    [`/sign-in?return_to=%2Freset%2F${TOKEN}`, '/sign-in?return_to=%2Freset%2F…'],
    [
      `/sign-in?return_to=%2Faccount%3Faccess_token%3D${TOKEN}%26x%3D1`,
      '/sign-in?return_to=%2Faccount%3Faccess_token%3D…%26x%3D1',
    ],
    [`/sign-in?return_to=%zz${TOKEN}`, '/sign-in?return_to=…'],
  ]
  for (const [address, logged] of cases) assert.equal(withoutSecrets(address), logged)
})

test('an address without a secret is logged as it is', () => {
  for (const address of [
    '/',
    '/reset',
    '/shop/1000/categories/7',
    '/sign-in?return_to=%2Faccount%2Fapps',
    '/api/products.json?limit=2&query=title:a',
    '/oauth2/auth?client_id=x&scope=orders',
    '/api/users/RESETRESETRESETR.json',
  ])
    assert.equal(withoutSecrets(address), address)
})

describe('any address', () => {
  const secret = fc.stringMatching(/^[A-Za-z0-9_%-]{12,40}$/)

  test('loses every secret, and keeps the rest', () => {
    const name = fc.constantFrom('access_token', 'refresh_token', 'password', 'client_secret', 'ACCESS_TOKEN', 'code')
    const parts = fc.array(fc.tuple(name, secret), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(parts, fc.constantFrom('', 'limit=2&'), (parts, first) => {
        const url = `/api/products.json?${first}${parts.map(([name, value]) => `${name}=${value}`).join('&')}&page=3`
        const logged = withoutSecrets(url)
        for (const [, value] of parts) assert.ok(!logged.includes(value), logged)
        assert.ok(logged.startsWith(`/api/products.json?${first}`) && logged.endsWith('&page=3'), logged)
      }),
    )
  })

  test('loses the token at the end of its path', () => {
    fc.assert(
      fc.property(secret, (token) => {
        const logged = withoutSecrets(`/members/login/1001/${token}?x=1`)
        assert.equal(logged, '/members/login/1001/…?x=1')
      }),
    )
  })

  test('may write names with percent signs', () => {
    assert.ok(!withoutSecrets('/api/products.json?access%5Ftoken=hunter2').includes('hunter2'))
  })
})

test('without secret paths every path is logged as it is', () => {
  for (const path of ['/', `/reset/${TOKEN}`, '//a//b'])
    assert.equal(withoutSecretsBehind(path, beforeSecret([])), path)
})

test('a request is logged with its method, address and origin, and nothing else', () => {
  const lines: string[] = []
  const log = createRequestLog(createLog('info', { write: (line) => void lines.push(line) }), ['/reset/:token'])
  const headers = { authorization: `Bearer ${TOKEN}` }
  log.info({
    req: { method: 'GET', originalUrl: `/reset/${TOKEN}`, ip: '192.0.2.1', headers },
    res: { statusCode: 200, headers },
  })
  const { req, res } = JSON.parse(lines.join())
  assert.deepEqual({ req, res }, { req: { method: 'GET', url: '/reset/…', ip: '192.0.2.1' }, res: { status: 200 } })
  assert.ok(!lines.join().includes(TOKEN))
})
