import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withoutSecrets } from './log.ts'

const TOKEN = 'opens-a-door_0123456789-0123456789-01234567'

test('an address in the log has nothing in it that opens a door', () => {
  const cases: [string, string][] = [
    [`/reset/${TOKEN}`, '/reset/…'],
    [`/reset/${TOKEN}?x=1`, '/reset/…?x=1'],
    [`/reset/${TOKEN}/more/${TOKEN}`, '/reset/…'],
    [`/invitation/${TOKEN}`, '/invitation/…'],
    [`/first-run/${TOKEN}`, '/first-run/…'],
    [`//reset//${TOKEN}`, '//reset//…'],
    [`/Reset/${TOKEN}`, '/Reset/…'],
    [`/%72eset/${TOKEN}`, '/reset/…'],
    [`/reset%2f${TOKEN}`, '/reset/…'],
    [`/%72eset/${TOKEN}%zz%ff`, '/reset/…'],
    [`/api/customers/login/1000/${TOKEN}`, '/api/customers/login/1000/…'],
    [`/api/customers/login/1000/${TOKEN}?x=1`, '/api/customers/login/1000/…?x=1'],
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
    '/sign-in?return_to=%2Faccount%2Fapps',
    '/api/products.json?limit=2&query=title:a',
    '/oauth2/auth?client_id=x&scope=orders',
    '/api/users/RESETRESETRESETR.json',
  ])
    assert.equal(withoutSecrets(address), address)
})
