import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PagePolicy, policyHeaders } from './policy.ts'

const CLOSED: PagePolicy = { scripts: [], styles: [], images: [], formActions: [], frameAncestors: [] }

test('a policy that allows nothing covers the directives that default-src does not', () => {
  assert.deepEqual(policyHeaders(CLOSED)(), {
    'content-security-policy': "default-src 'none'; form-action 'none'; frame-ancestors 'none'; base-uri 'none'",
    'x-frame-options': 'DENY',
  })
})

test('each list opens its own directive', () => {
  const policy: PagePolicy = {
    scripts: ["'self'"],
    styles: ["'self'", 'https://fonts.example'],
    images: ['data:'],
    formActions: ["'self'"],
    frameAncestors: ['https://partner.example'],
  }
  assert.deepEqual(policyHeaders(policy)(), {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self' https://fonts.example; img-src data:; form-action 'self'; frame-ancestors https://partner.example; base-uri 'none'",
  })
})

test('the address of one form is added for its page alone', () => {
  const headersOf = policyHeaders({ ...CLOSED, formActions: ["'self'"] })
  const withForm = headersOf('https://app.example')['content-security-policy'] ?? ''
  assert.match(withForm, /form-action 'self' https:\/\/app\.example;/)
  assert.match(headersOf()['content-security-policy'] ?? '', /form-action 'self';/)
})
