import { request } from 'undici'
import { poolOf } from '#platform/db/database.ts'
import { createNotices } from '#platform/db/notices/notices.ts'
import { createLog } from '#platform/log/log.ts'
import { createMetrics } from '#platform/log/metrics.ts'
import { createDns } from '#platform/outbound/dns.ts'
import { RESOURCES } from '../../src/resources.ts'
import { bodyFor } from '../audit/changes.ts'
import { ENDLESS, type Route } from '../audit/collect-routes.ts'
import { pathsTo } from '../audit/paths.ts'
import { ENDS_ACCESS, OWN_SIGN_IN, PARTNERS_ONLY } from '../audit/route-tables.ts'
import { fill, type Things } from '../audit/things.ts'
import { type Schema, typesOf } from '../audit/values.ts'
import type { Service, Shop } from '../harness.ts'
import { enterShop } from '../owned-content.ts'
import { signedIn } from '../people.ts'
import { baseOf } from '../shop-pages.ts'
import { type Visitor, visit } from '../visitor.ts'

const PREFIX = '/admin/api'
const OURS = { 'sec-fetch-site': 'same-origin', accept: 'text/html' }

type Answered = { status: number }

/** How often each kind of answer came. */
export type Driven = { done: number; refused: number }

/** Calls every route of the service once, lists with each of their filters, and does the work of a worker. */
export async function driveAll(service: Service, routes: readonly Route[]): Promise<Driven> {
  const shop = await service.openShop()
  const things = await fill(service, shop)
  const driven: Driven = { done: 0, refused: 0 }
  const count = ({ status }: Answered) => {
    if (status >= 500) throw new Error(`a page has answered ${status}`)
    driven[status < 400 ? 'done' : 'refused'] += 1
  }
  const known = routes.filter(({ url }) => ![...ENDLESS, ...PARTNERS_ONLY].includes(url))
  const bearer = { authorization: `Bearer ${shop.token}` }
  const ofApps = known.filter(({ scopes }) => scopes.length > 0)
  for (const route of ofApps.filter(({ method }) => method === 'GET'))
    for (const path of readsOf(route, things)) count(await send(service, path, { headers: bearer }))
  await driveShop(service, shop, known, things, count)
  await service.runJobs()
  await runChores(service)
  const { cookies } = await signedIn(service, shop)
  const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
  const ours = { cookie, 'sec-fetch-site': 'same-origin' }
  const isCalled = ({ method, url }: Route) =>
    url.startsWith(PREFIX) && ![...OWN_SIGN_IN, ...ENDS_ACCESS].includes(`${method} ${url.slice(PREFIX.length)}`)
  // What is deleted is missed by others, so it is deleted last.
  for (const wanted of ['GET', 'PUT', 'POST', 'DELETE'])
    for (const { method, url } of known.filter((route) => route.method === wanted && isCalled(route))) {
      const asked = { method, body: bodyFor(method, things), headers: ours }
      count(await send(service, pathsTo(url, things)[0] ?? '', asked))
    }
  await service.runJobs()
  return driven
}

type Asked = { method?: string; body?: object | undefined; headers: Record<string, string> }

/** Without the harness, which would hold what is asked at random to the OpenAPI document. */
async function send({ url }: Service, path: string, { method = 'GET', body, headers }: Asked): Promise<Answered> {
  const { statusCode: status, body: answer } = await request(url + path, {
    method: method as 'GET',
    headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  })
  const text = await answer.text()
  if (status >= 500) throw new Error(`${method} ${path} answers ${status}: ${text}`)
  return { status }
}

/** The paths of a read: as it is, by each way to name its thing, and with each of its parameters. */
function readsOf({ url, schema }: Route, things: Things): string[] {
  const paths = pathsTo(url, things)
  const [first = ''] = paths
  const { properties = {} } = (schema.querystring ?? {}) as Schema
  // Names that are spelled in another way mean the same.
  const named = Object.entries(properties).filter(([name]) => name === name.toLowerCase())
  const asked = named.flatMap(([name, each]) => valuesOf(each).map((value) => [[name, value]]))
  return [...paths, ...asked.map((pairs) => `${first}${first.includes('?') ? '&' : '?'}${new URLSearchParams(pairs)}`)]
}

/** Every value of a parameter that has few, and one of any other. */
function valuesOf(schema: Schema): string[] {
  if (schema.enum !== undefined) return schema.enum.map(String)
  if (schema.const !== undefined) return [String(schema.const)]
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(valuesOf)
  const types = typesOf(schema)
  if (types.includes('integer') || types.includes('number')) return ['2']
  if (types.includes('boolean')) return ['true']
  if (schema.format !== undefined) return ['2026-01-01T00:00:00Z']
  return ['own']
}

async function driveShop(
  service: Service,
  shop: Shop,
  routes: readonly Route[],
  things: Things,
  count: (answer: Answered) => void,
): Promise<void> {
  const base = await baseOf(shop)
  const member = await enterShop(service, shop, base, things.customer, OURS)
  const guest = visit(service.url, OURS)
  await shop.put(`/api/products/${things.product.id}.json`, { product: { published: true } })
  const pages = routes.filter(({ method, url }) => url.startsWith('/shop/:shop') && /^(?:GET|POST)$/.test(method))
  const visitors: Visitor[] = [member, guest]
  for (const { url, method } of pages)
    for (const visitor of visitors) {
      const path = url
        .replace('/shop/:shop', base)
        .replace(':ref', String(things.product.id))
        .replace(':group', things.group.id)
        .replace(':id', String(/subscriptions/.test(url) ? things.subscription.id : things.entitlement.id))
        .replace(/:\w+|\*/g, '1')
      count(await (method === 'GET' ? visitor.get(`${path}?q=own`) : visitor.post(path, {})))
    }
}

/** The recurring work of a worker, one after the other. */
async function runChores(service: Service): Promise<void> {
  const { db, clock, files, vault, outbound, serviceUrls } = service
  const dependencies = {
    db,
    notices: createNotices(poolOf(db), createLog('silent')),
    vault,
    clock,
    log: createLog('silent'),
    files,
    outbound,
    metrics: createMetrics(),
    dns: createDns(['127.0.0.1:9']),
    ownHost: 'localhost',
    uploadFolder: service.uploadFolder,
    currencyRatesUrl: '',
    serviceUrls,
    baseUrl: 'https://licet.example',
  }
  const chores = RESOURCES.flatMap((resource) => Object.values(resource.chores?.(dependencies) ?? {}))
  if (chores.length < 20) throw new Error(`found ${chores.length} chores only`)
  for (const { run, isBehind } of chores) {
    await run()
    await isBehind?.()
  }
}
