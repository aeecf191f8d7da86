import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Answer, useService } from '../harness.ts'
import { collectRoutes, ENDLESS, type Route } from './collect-routes.ts'
import { bodyFields, type Field, type Schema, typesOf } from './values.ts'

const routes = collectRoutes()
const service = useService()

const anyPath = (url: string) => url.replace(/:\w+/g, '1')

/** The routes that take a JSON body in a wrapper, without forms. */
const writing = () => routes().filter(({ scopes, schema }) => scopes.length > 0 && schema.body !== undefined)

const allFields = () =>
  writing().flatMap((route) =>
    bodyFields(route).map((field) => ({ ...field, route, at: `${route.method} ${route.url} ${field.path}` })),
  )

const queryOf = ({ schema }: Route) => (schema.querystring as Schema | undefined)?.properties ?? {}

/** Names that look like the id of something in this service and are not. */
const NO_REFERENCE: Record<string, string> = {
  category_ids: 'a list of ids, each of which refers to something',
  company_ids: 'a list of ids, each of which refers to something',
  product_ids: 'a list of ids, each of which refers to something',
  google_tracking_id: 'a text of another service',
  google_shopping_account_id: 'a text of another service',
  product_id: 'a new product may bring its own; it refers to nothing',
  device_id: 'a text of the client',
  location_id: 'a text of the client',
  vat_id: 'a number on invoices, which the tax office gives',
}

/** The attributes that a body can set to null, beside references. For all others null changes nothing. */
const NULLABLE: Record<string, string> = {
  age: 'removes the age rating',
  home_sections: 'the home page shows what is new, and the categories',
  menu: 'the menu leads to the categories at the top',
  page: 'the link leads elsewhere',
  audio_type: 'no kind of audio: a binding of any',
  cart_reminder_hours: 'no reminders',
  category_ids: 'offers the products of all categories',
  company_ids: 'offers to every company',
  closed_at: 'opens the order again',
  code: 'a line item that was read without a code is sent back',
  consent_source: 'a recipient that was read without a source is sent back',
  customer: 'beside a token, nothing is said of the customer',
  default_address: 'removes the address',
  delivery_days_max: 'nobody says how long it takes',
  delivery_days_min: 'nobody says how long it takes',
  device_id: 'the interface lets it be null',
  end_at: 'no bound',
  ends_at: 'no end',
  expires_at: 'no expiry',
  expiration_date: 'the license ends at no day',
  exported_from: 'the file was exported from no shop that is known',
  export_pdf_print: 'printing is no matter of this license',
  field: 'the column is left out',
  free_from: 'shipping is never free',
  hd: 'not a matter of the resolution',
  isbn: 'removes the ISBN',
  items_in_stock: 'the stock is no longer managed',
  landing_site: 'the interface lets it be null',
  landing_site_ref: 'the interface lets it be null',
  license_title: 'a line item of goods is sent back',
  location_id: 'the interface lets it be null',
  member_days: 'a membership without an end',
  member_until: 'a membership without an end',
  note: 'the note of a refund may be null',
  num_users: 'no number of users: a binding for any',
  password: 'null for a customer who is identified by token',
  password_confirmation: 'null for a customer who is identified by token',
  product_id: 'sales of such a product are left out',
  published_at: 'no time of release',
  referring_site: 'the interface lets it be null',
  renewals: 'until somebody cancels it',
  send_at: 'at once',
  shipping_address: 'the interface lets it be null',
  source: 'the interface lets it be null',
  source_identifier: 'the interface lets it be null',
  src: 'removes the picture of a locale',
  start_at: 'no bound',
  starts_at: 'at once',
  supplier: 'the interface lets it be null',
  text: 'the text of a mail is that of the service again',
  weight_max: 'for every heavier parcel',
  usage_limit: 'no limit',
  year: 'removes the year',
}

const isReference = ({ schema }: Field) => schema['x-reads'] === 'reference'

describe('an id in a body', () => {
  test('is a reference, for which 0, an empty text and null mean none, or is listed', () => {
    const ids = allFields().filter(({ name }) => /(^|_)ids?$/.test(name))
    assert.ok(ids.length > 20, `saw ${ids.length} ids only`)
    const others = ids.filter((field) => !isReference(field) && NO_REFERENCE[field.name] === undefined)
    assert.deepEqual(
      others.map(({ at }) => at),
      [],
    )
  })

  test('is not refused where it is none', async () => {
    const shop = await service.openShop()
    for (const field of allFields().filter((each) => isReference(each) && !each.isRequired))
      for (const none of [0, '0', '', null]) {
        const answer = await send(shop.token, field.route, field.place(none))
        // An entry that is new has to refer to something.
        const [fault] = answer.body?.errors?.[field.path] ?? []
        assert.ok(fault === undefined || fault === 'is required', `${field.at}: ${answer.text}`)
      }
  })
})

describe('null in a body', () => {
  test('is something for the listed attributes only', () => {
    const nullable = allFields().filter(({ schema }) => typesOf(schema).includes('null'))
    const named = new Set(nullable.filter((field) => !isReference(field)).map(({ name }) => name))
    assert.deepEqual([...named].sort(), Object.keys(NULLABLE).sort())
  })

  test('is never a fault of an attribute that may be absent', async () => {
    const shop = await service.openShop()
    for (const { at, route, path, place } of allFields().filter(({ isRequired }) => !isRequired)) {
      const answer = await send(shop.token, route, place(null))
      // A new product or category needs a title, by a rule and not by its schema.
      const [fault] = answer.body?.errors?.[path] ?? []
      assert.ok(fault === undefined || fault === 'is required', `${at}: ${answer.text}`)
    }
  })
})

describe('an empty text in a body', () => {
  const isText = ({ schema }: Field) => typesOf(schema).includes('string') && schema.format === undefined

  test('is 422 for a number, a boolean, a time, a list and an object, and names the field', async () => {
    const shop = await service.openShop()
    const others = allFields().filter((field) => !isText(field) && !isReference(field))
    assert.ok(others.length > 50, `saw ${others.length} fields only`)
    for (const { at, route, path, place } of others) {
      const answer = await send(shop.token, route, place(''))
      assert.equal(answer.status, 422, `${at}: ${answer.text}`)
      assert.ok(answer.body.errors[path], `${at}: ${answer.text}`)
    }
  })
})

describe('a boolean', () => {
  test('may be sent as 1, 0 or text in any body', async () => {
    const shop = await service.openShop()
    const booleans = allFields().filter(({ schema }) => typesOf(schema).includes('boolean'))
    assert.ok(booleans.length > 20, `saw ${booleans.length} booleans only`)
    for (const { at, route, path, place } of booleans)
      for (const value of [1, 0, '1', '0', 'true', 'false']) {
        const answer = await send(shop.token, route, place(value))
        assert.ok(!/true or false/.test(answer.body?.errors?.[path]?.join()), `${at}: ${answer.text}`)
      }
  })
})

describe('a parameter of a query', () => {
  test('that is empty counts as absent on every list, count and single', async () => {
    const shop = await service.openShop()
    const reads = routes().filter(
      ({ method, url, scopes }) => method === 'GET' && scopes.length > 0 && !ENDLESS.includes(url),
    )
    for (const route of reads) {
      const path = anyPath(route.url)
      const empty = new URLSearchParams([...Object.keys(queryOf(route)), 'unknown'].map((name) => [name, '']))
      const [without, withEmpty] = [await shop.get(path), await shop.get(`${path}?${empty}`)]
      assert.equal(withEmpty.status, without.status, `${path}: ${withEmpty.text}`)
      assert.deepEqual(withoutRequestId(withEmpty), withoutRequestId(without), path)
    }
  })

  test('with an email address understands a raw plus', () => {
    const named = routes().flatMap((route) =>
      Object.entries(queryOf(route))
        // Products are searched by their own words.
        .filter(([name]) => name === 'email' || (name === 'query' && !/\/api\/products/.test(route.url)))
        .map(([name, schema]) => [`${route.method} ${route.url} ${name}`, schema['x-reads']] as const),
    )
    assert.ok(named.length > 3)
    for (const [at, reading] of named) assert.equal(reading, at.endsWith('email') ? 'email' : 'search', at)
  })
})

function send(token: string, { method, url }: Route, body: unknown): Promise<Answer> {
  return service.call(method, anyPath(url), { token, body })
}

/** What a second request for the same thing answers, too. A token has less time left by then. */
function withoutRequestId({ body }: Answer): unknown {
  return { ...body, request_id: undefined, expires_in: undefined }
}
