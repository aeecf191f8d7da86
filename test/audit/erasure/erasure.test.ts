import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { deleteUnusedCopies } from '#rights/stamping/make-copy.worker.ts'
import { useService } from '../../harness.ts'
import { useMailServer } from '../../mail-server.ts'
import { aWellKnownCustomer, type KnownCustomer } from './person.ts'
import { searchFiles, searchTables } from './search.ts'

const mails = useMailServer()
const service = useService({ smtpUrl: mails.listening })

/** Names and addresses are on invoices, and orders and shipments are the books behind them. */
const BOOKS: Readonly<Record<string, readonly string[]>> = {
  'orders.buyer': ['address1', 'city', 'email', 'first_name', 'last_name', 'token'],
  'orders.document': ['address1', 'city', 'email', 'first_name', 'last_name', 'token'],
  'orders.email': ['email'],
  'orders.customer_token': ['token'],
  'orders.shipping_address': ['address1', 'city', 'first_name', 'last_name'],
  'fulfillments.document': ['address1', 'city', 'first_name', 'last_name', 'token'],
  'invoices.content': ['address1', 'city', 'email', 'first_name', 'last_name', 'token'],
  'invoices.pdf': ['address1', 'city', 'email', 'first_name', 'last_name', 'token'],
}

/** The random token alone says what was sold in which order, and what a user did. It is worth nothing without the account. */
const TOKEN_ALONE = [
  // What was sold, until its order goes.
  'entitlements.customer_token',
  'entitlements.document',
  'redemptions.customer_token',
  'subscriptions.customer_token',
  // Gone after 30 days. Apps find in it whom they have to forget.
  'events.data',
  'deliveries.data',
  // Which user did what; gone after a year.
  'audit_entries.subject',
]

const isAllowed = (finding: string) => {
  const [place = '', names = ''] = finding.split(': ')
  return TOKEN_ALONE.includes(place)
    ? names === 'token'
    : names.split(', ').every((name) => BOOKS[place]?.includes(name))
}

describe('a customer who is erased', () => {
  let known: KnownCustomer
  before(async () => {
    known = await aWellKnownCustomer(service)
  })

  test('was everywhere', async () => {
    const { columns, found } = await searchTables(service, known.needles)
    assert.ok(columns > 300, `only ${columns} columns were searched`)
    const tables = new Set(found.map((finding) => finding.split('.')[0]))
    for (const table of EVERYWHERE) assert.ok(tables.has(table), `${table} knew nothing: ${[...tables].join(' ')}`)
    const { found: files } = await searchFiles(service, known.needles)
    assert.deepEqual(files.map((file) => file.replace(/^.*\.(\w+): .*$/, '$1')).sort(), ['epub', 'pdf'])
  })

  test('is nowhere but in the books', async () => {
    const { shop } = known.at
    assert.equal((await shop.delete(`/api/customers/${known.customer.token}.json`)).status, 200)
    await service.runJobs()
    await deleteUnusedCopies(service)
    const { found } = await searchTables(service, known.needles)
    assert.deepEqual(
      found.filter((finding) => !isAllowed(finding)),
      [],
    )
    assert.ok(found.some((finding) => finding.startsWith('orders.shipping_address')))
    assert.deepEqual((await searchFiles(service, known.needles)).found, [])
  })

  test('leaves orders, gifts, withdrawals and imports that are answered as before', async () => {
    const shop = await known.at.shop.asUser(known.at.shop.userId)
    const { orders } = (await shop.get('/api/orders.json')).body
    assert.ok(orders.length > 5)
    const [order] = orders
    assert.deepEqual([order.browser_ip, order.device_id, order.shipping_address?.phone], ['', null, ''])
    for (const path of [
      `/orders/${order.id}`,
      '/redemption_codes',
      '/imports',
      '/fulfillments',
      `/orders/${order.id}/timeline`,
    ])
      assert.equal((await shop.get(`/api${path}.json`)).status, 200, path)
  })
})

/** Tables that the fixture has to fill: without them the test would prove less. */
const EVERYWHERE = [
  'carts',
  'customer_relations',
  'customer_sign_ups',
  'customers',
  'deliveries',
  'devices',
  'entitlement_uses',
  'entitlements',
  'events',
  'fulfillments',
  'group_members',
  'idempotency_keys',
  'import_contents',
  'imports',
  'invoices',
  'mails',
  'news_recipients',
  'order_notes',
  'orders',
  'redemption_gifts',
  'reviews',
  'stamped_files',
  'subscribers',
  'subscriptions',
  'withdrawals',
]
