import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useService } from '../harness.ts'
import { type Schema, unboundedParts } from './bounds.ts'
import { collectRoutes } from './collect-routes.ts'

const routes = collectRoutes()
const service = useService()

const PARTS = ['body', 'querystring', 'params', 'headers'] as const

/** Routes that never look at their body. */
const WITHOUT_BODY = [
  // The bytes of a gateway are read by the gateway, which knows their limits and how they are signed.
  'POST /payments/:company/:gateway',
  // What a browser says to the proxy of the operator is bytes, which are handed over as they are.
  'POST /my-content/:id/stream/:playback/:name',
  'POST /shop/:shop/my-content/:id/stream/:playback/:name',
  'PUT /api/customers/:token/addresses/:id/default.json',
  'POST /lcp/:company/:uid/register',
  'PUT /lcp/:company/:uid/renew',
  'PUT /lcp/:company/:uid/return',
  'POST /api/market_products/:id/add.json',
  'POST /api/market_products/:id/activate.json',
  'POST /api/marketplace/:market_id/add.json',
  'POST /api/marketplace/:market_id/activate.json',
  'POST /api/users/:token/send_invitation.json',
  'POST /api/webhooks/:id/deliveries/:delivery_id/replay.json',
  'POST /api/entitlements/:id/revoke.json',
  'POST /api/mails/:id/retry.json',
  'POST /api/entitlements/:id/restore.json',
  'POST /api/entitlements/:id/key/rotate.json',
  'POST /api/backups.json',
  'POST /api/customers/:token/export.json',
  'POST /api/customers/:token/login_link.json',
  'POST /api/customers/:token/send_sign_in_link.json',
  'POST /api/imports/:id/check.json',
  'POST /api/imports/:id/run.json',
  'POST /api/imports/:id/undo.json',
  'POST /api/orders/:id/invoice.json',
  'POST /api/orders/:id/send_confirmation.json',
  'POST /api/orders/:id/mark_paid.json',
  'POST /api/orders/:id/retry_refunds.json',
  'POST /api/payments/:id/resolve.json',
  'POST /api/redemption_codes/:id/call_back.json',
  'POST /api/subscriptions/:id/cancel.json',
  'POST /api/subscriptions/:id/resume.json',
  'POST /cart-reminders/stop/:token',
  'POST /newsletter/confirm/:token',
  'POST /newsletter/unsubscribe/:token',
]

describe('whatever a request brings', () => {
  test('has a limit: every list has maxItems, every text maxLength', () => {
    const shared = service.app.getSchemas()
    let seen = 0
    const unbounded = routes().flatMap(({ method, url, schema }) =>
      PARTS.flatMap((part) => {
        const described = schema[part]
        if (described === undefined) return []
        seen += 1
        return unboundedParts(described as Schema, shared, `${method} ${url} ${part}`)
      }),
    )
    assert.ok(seen > 100, `looked at ${seen} schemas only`)
    assert.deepEqual(unbounded, [])
  })

  test('has a schema: a form too', () => {
    const taking = routes().filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method))
    const undescribed = taking.filter(({ schema }) => schema.body === undefined)
    // Signed-in users have the routes of apps.
    const names = undescribed.map(({ method, url }) => `${method} ${url.replace(/^\/admin\/api\//, '/api/')}`)
    assert.deepEqual([...new Set(names)].sort(), WITHOUT_BODY.toSorted())
  })
})

describe('the search for parts without a limit', () => {
  for (const [schema, found] of [
    [{ type: 'string' }, ['x is a text without maxLength']],
    [{ type: ['string', 'null'], maxLength: 5 }, []],
    [{ type: 'string', enum: ['a'] }, []],
    [{ type: 'string', pattern: '^[a-z+]{2,8}$' }, []],
    [{ type: 'string', pattern: '[a-z]{2}' }, ['x is a text without maxLength']],
    [{ type: 'string', pattern: '^[a-z]+$' }, ['x is a text without maxLength']],
    [{ type: 'string', pattern: '^[a-z]{2,}$' }, ['x is a text without maxLength']],
    [{ type: 'array', items: { type: 'integer' } }, ['x is a list without maxItems']],
    [{ type: 'array', maxItems: 5, items: { type: 'string' } }, ['x[] is a text without maxLength']],
    [{ type: 'object', properties: { a: {} } }, ['x.a takes anything']],
    [{ type: 'object', patternProperties: { a: { type: 'integer' } } }, ['x has attributes of any name']],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, ['x is a text without maxLength']],
    [{ $ref: 'Shared#' }, ['x.name is a text without maxLength']],
  ] as const satisfies [Schema, string[]][]) {
    test(`finds ${found.join() || 'nothing'} in ${JSON.stringify(schema)}`, () => {
      const shared = { Shared: { type: 'object', properties: { name: { type: 'string' } } } }
      assert.deepEqual(unboundedParts(schema as Schema, shared, 'x'), found)
    })
  }
})
