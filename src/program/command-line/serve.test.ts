import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '#platform/settings/config.ts'
import { greeting } from './serve.ts'

const address = 'http://127.0.0.1:3000'
const shop = { companyId: 1000, address: 'http://1000.localhost:3000' }
const admin = `${address}/demo/l`
const demo = {
  company_id: 1000,
  user_email: 'demo@licet.example',
  password: 'p',
  client_id: 'c',
  access_token: 't',
  admin,
}
const nothing = { demo: undefined, firstRun: undefined, shop: undefined }

function said(service: Parameters<typeof greeting>[0], settings: Record<string, string> = {}): string[] {
  const env = { LICET_DATA: '/data', LICET_ALLOW_LOOPBACK: 'off', ...settings }
  return greeting(service, readConfig(env)).split('\n').slice(3)
}

test('the first start shows the shop, how to sign in and what to try', () => {
  assert.deepEqual(said({ ...nothing, address, demo, shop }), [
    '  Address         http://127.0.0.1:3000',
    '  Reference       http://127.0.0.1:3000/docs',
    '  Shop            http://1000.localhost:3000  company 1000',
    '  Admin           http://127.0.0.1:3000/demo/l',
    '                  one press signs you in; the link works once',
    '  Sign-in         http://127.0.0.1:3000/sign-in',
    '                  demo@licet.example  password p',
    '  Access token    t',
    '                  all scopes of the demo shop, for a day; every start gives a new one',
    '  Mails           are kept, because no mail server is set: npx licet mails',
    '  Data            /data',
    '',
    '  Try it:',
    '',
    "  curl -H 'Authorization: Bearer t' 'http://127.0.0.1:3000/api/products.json?limit=2'",
    '',
  ])
})

test('a start with a mail server says nothing of mails', () => {
  const settings = { LICET_SMTP_URL: 'smtp://localhost', LICET_MAIL_FROM: 'a@example.com' }
  assert.deepEqual(said({ ...nothing, address, shop }, settings), [
    '  Address      http://127.0.0.1:3000',
    '  Reference    http://127.0.0.1:3000/docs',
    '  Shop         http://1000.localhost:3000  company 1000',
    '  Sign-in      http://127.0.0.1:3000/sign-in',
    '  Data         /data',
    '',
  ])
})

test('a start without a company shows the link that opens the first one, and no sign-in', () => {
  const lines = said({ ...nothing, address, firstRun: `${address}/first-run/x` })
  assert.ok(lines.includes('  http://127.0.0.1:3000/first-run/x'))
  assert.ok(!lines.some((line) => line.includes('Sign-in') || line.includes('Shop ')))
})
