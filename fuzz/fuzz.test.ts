import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '#demo/random.ts'
import { useService } from '#test/harness.ts'
import { ownerOf } from '#test/people.ts'
import { type OpenApi, operationsOf } from './document.ts'
import { createKnown } from './known.ts'
import { createVisitor } from './pages.ts'
import { nextRequest } from './requests.ts'
import { createSender } from './send.ts'

const service = useService({ rateLimit: { burst: 1_000_000, perSecond: 1_000_000 } })

const SEED = 1
const REQUESTS = 200

test(`no request of ${REQUESTS} is answered with an error of the service, or against the OpenAPI document`, async () => {
  const shops = [await service.openShop(), await service.openShop()]
  const [first] = shops
  assert.ok(first)
  const document = service.app.swagger() as unknown as OpenApi
  const visitors = {
    list: [await createVisitor(service.url), await createVisitor(service.url, await ownerOf(service, first))],
  }
  const known = createKnown()
  const tokens = shops.map(({ token }) => token)
  const maker = {
    document,
    random: createRandom(SEED),
    known,
    operations: operationsOf(document),
    tokens,
    visitors,
    wildness: 0,
  }
  const { send, close } = createSender(service.url, document)
  const statuses = new Map<number, number>()
  for (let count = 0; count < REQUESTS; count += 1) {
    const request = nextRequest(maker)
    const { status, text, violation } = await send(request)
    const shown = `${request.method} ${request.path.slice(0, 300)} ${request.body?.toString().slice(0, 500)}`
    assert.equal(violation, undefined, `request ${count} of seed ${SEED}: ${shown}`)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    known.learn(request.path, text)
  }
  await close()
  for (const status of [200, 201, 400, 404, 422]) assert.ok(statuses.has(status), `no request was answered ${status}`)
})
