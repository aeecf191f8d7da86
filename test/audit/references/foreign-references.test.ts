import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type AdminPage, ownerPage } from '../../admin.ts'
import { anOffer } from '../../factories.ts'
import { type Answer, useService } from '../../harness.ts'
import { enterShop } from '../../owned-content.ts'
import { collectRoutes, type Route } from '../collect-routes.ts'
import { pathsTo } from '../paths.ts'
import type { Schema } from '../values.ts'
import { exampleFor } from './body-examples.ts'
import { looksLikeReference, NO_REFERENCE, REFERENCES, WITHOUT_OWN } from './body-references.ts'
import { type BodyValue, bodyValues, valuesAt, withValue } from './body-values.ts'
import { companyRows } from './company-rows.ts'
import { aNamedCompany, type NamedCompany } from './named-company.ts'
import { FORM_REFERENCES, PUBLIC_REFERENCES } from './public-references.ts'

const allRoutes = collectRoutes()
const service = useService()
const PREFIX = '/admin/api'

type Attempt = BodyValue & { route: Route; at: string }

const describedAs = (url: string) => url.replace(/^\/admin\/api\//, '/api/')

const isForCompanies = ({ scopes, permissions }: Route) => scopes.length > 0 || permissions !== undefined

/** Every value in the body of a route for apps or users that looks like a reference. */
function attempts(): Attempt[] {
  const routes = allRoutes().filter(isForCompanies)
  assert.ok(routes.length > 200, `saw ${routes.length} routes only`)
  return referencesIn(routes)
}

function referencesIn(routes: Route[]): Attempt[] {
  const shared = service.app.getSchemas()
  const taking = routes.filter(({ schema }) => schema.body !== undefined)
  return taking.flatMap((route) =>
    bodyValues(route.schema.body as Schema, shared)
      .filter(looksLikeReference)
      .map((value) => ({ ...value, route, at: `${route.method} ${route.url} ${value.path}` })),
  )
}

const lookUp = <Entry>(table: Record<string, Entry>, { path, name }: BodyValue) => table[path] ?? table[name]

/** A new thing has no parts whose ids could be named. */
const isPartOfNew = ({ name, route: { method, url } }: Attempt) =>
  method === 'POST' && name === 'id' && !url.includes(':') && !url.includes('price_changes')

const canBeOwn = (attempt: Attempt) =>
  !isPartOfNew(attempt) && WITHOUT_OWN[`${attempt.route.method} ${attempt.path}`] === undefined

describe('a reference to something of another company', () => {
  let ours: NamedCompany
  let other: NamedCompany
  let page: AdminPage
  let rowsOfOther: () => Promise<Record<string, string>>

  before(async () => {
    ours = await aNamedCompany(service, 'Ourselves')
    other = await aNamedCompany(service, 'Neighbour')
    page = await ownerPage(service, ours.shop)
    rowsOfOther = await companyRows(service.db, other.shop.companyId)
  })

  /** Keys belong to software, parts to what has some, and a company has one entry in the marketplace at most. */
  async function pathOf({ path, route: { method, url } }: Attempt): Promise<string> {
    const { things, program, variation, shop } = ours
    const product = url.includes('/keys') ? program : path.includes('included') ? variation : things.product
    const marketId = url.includes('/market_offers') ? await anOffer(service, shop) : things.marketId
    if (method === 'POST' && url.includes('/market_offers')) await shop.delete(`/api/market_offers/${marketId}.json`)
    return pathsTo(url, { ...things, product, marketId })[0] ?? ''
  }

  async function send(attempt: Attempt, value: unknown): Promise<Answer> {
    const { method, url } = attempt.route
    const path = await pathOf(attempt)
    const example = exampleFor(`${method} ${describedAs(url)}`, attempt.path, ours)
    const body = withValue(example, attempt.path, value)
    if (url.startsWith(PREFIX)) return page.call(method, path.slice(PREFIX.length), body)
    return service.call(method, path, { token: ours.shop.token, body })
  }

  test('is known to this test, wherever a body can have one', () => {
    const known = (value: BodyValue) => lookUp(REFERENCES, value) ?? lookUp(NO_REFERENCE, value)
    const unknown = attempts().filter((value) => known(value) === undefined)
    assert.deepEqual(
      unknown.map(({ at }) => at),
      [],
    )
    const named = new Set(attempts().flatMap(({ path, name, route }) => [path, name, `${route.method} ${path}`]))
    const tables = { ...REFERENCES, ...NO_REFERENCE, ...WITHOUT_OWN }
    assert.deepEqual(
      Object.keys(tables).filter((key) => !named.has(key)),
      [],
      'no body has these any more',
    )
  })

  test('is known to this test, wherever a form or a body has one that needs neither a token nor the session of a user', () => {
    const found = referencesIn(allRoutes().filter((route) => !isForCompanies(route)))
    const known = { ...FORM_REFERENCES, ...PUBLIC_REFERENCES }
    assert.deepEqual(
      [...new Set(found.map(({ at }) => at.replace('/shop/:shop', '')))].sort(),
      Object.keys(known).sort(),
    )
  })

  test('in a form of a shop changes nothing of that company, and shows nothing of it', async () => {
    const { shop, things } = ours
    const base = `/shop/${things.themeSetting.id}`
    const customer = await enterShop(service, shop, base, things.customer)
    const [owned] = (await shop.get(`/api/customers/${things.customer.token}/content.json`)).body.content
    const before = await rowsOfOther()
    for (const [form, valueIn] of Object.entries(FORM_REFERENCES)) {
      const [, path = '', field = ''] = form.split(' ')
      const value = valueIn(other)
      const answer = await customer.post(`${base}${path.replace(':id', owned.id)}`, { [field]: value })
      assert.ok([204, 303, 403, 404, 422].includes(answer.status), `${form}: ${answer.status} ${answer.text}`)
      const shown = answer.status === 303 ? await customer.follow(answer) : answer
      assert.deepEqual(secretsIn(shown.text, other, value), [], form)
      assert.deepEqual(await rowsOfOther(), before, form)
    }
    const cart = await customer.get(`${base}/cart`)
    assert.equal(cart.status, 200)
    assert.ok(!cart.text.includes(other.name))
  })

  test('is refused or not used, changes nothing of that company and shows nothing of it, where an own one is taken', async () => {
    const wrong: string[] = []
    let [refused, rows] = [0, await rowsOfOther()]
    for (const attempt of attempts()) {
      const sent = lookUp(REFERENCES, attempt)
      if (sent === undefined) continue
      const value = await sent.of(other, attempt.path)
      if (sent.isMade === true) rows = await rowsOfOther()
      const answer = await send(attempt, value)
      const said = `${attempt.at} = ${value}: ${answer.status} ${answer.text.slice(0, 300)}`
      const isTaken = answer.status < 300
      if (!isTaken) refused += 1
      if (!isTaken && ![403, 404, 409, 422].includes(answer.status)) wrong.push(`answers strangely: ${said}`)
      if (isTaken && sent.free === undefined && valuesAt(answer.body, attempt.path).includes(value))
        wrong.push(`is used: ${said}`)
      const after = await rowsOfOther()
      const changed = Object.keys(after).filter((table) => after[table] !== rows[table])
      if (changed.length > 0) wrong.push(`changes ${changed}: ${said}`)
      rows = after
      const shown = secretsIn(answer.text, other, value)
      if (shown.length > 0) wrong.push(`shows ${shown}: ${said}`)
      if (sent.free !== undefined || !canBeOwn(attempt)) continue
      const own = await send(attempt, await sent.of(ours, attempt.path))
      if (own.status >= 300) wrong.push(`is refused, also to its owner: ${attempt.at}: ${own.text.slice(0, 300)}`)
    }
    assert.deepEqual(wrong, [])
    assert.ok(refused > 100, `${refused} were refused`)
  })
})

/** What an answer shows of a company to others, beside the value that they have sent. */
function secretsIn(
  text: string,
  { name, things, program, sold, redemptionCode }: NamedCompany,
  sent: unknown,
): string[] {
  const { customer, user, product } = things
  const people = [customer.email, user.email, user.token]
  const secrets = [name, ...people, product.product_id, program.product_id, sold.product_id, redemptionCode]
  return secrets.filter((secret) => text.replaceAll(String(sent), '').includes(secret))
}
