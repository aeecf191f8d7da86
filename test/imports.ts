import assert from 'node:assert/strict'
import type { Wire } from './factories.ts'
import type { Service, Shop } from './harness.ts'

/** Sends a file to import. */
export async function aCsvImport(
  service: Service,
  shop: Shop,
  content: string | Buffer = 'handle,title\na,A\n',
  query = '',
): Promise<Wire> {
  const answer = await service.call('POST', `/api/imports.json${query}`, {
    token: shop.token,
    body: Buffer.from(content),
    headers: { 'content-type': 'text/csv' },
  })
  assert.equal(answer.status, 201, answer.text)
  return answer.body.import
}

export const pathOf = ({ id }: Wire, action = '') => `/api/imports/${id}${action}.json`

/** What tests do with the files that they have sent. */
export function importsOf(service: Service) {
  async function read(shop: Shop, file: Wire): Promise<Wire> {
    const { status, body, text } = await shop.get(pathOf(file))
    assert.equal(status, 200, text)
    return body.import
  }

  return {
    read,
    /** Starts a check or an import, and lets the worker do it. */
    async work(shop: Shop, file: Wire, action: '/check' | '/run'): Promise<Wire> {
      const { status, text } = await shop.post(pathOf(file, action))
      assert.equal(status, 200, text)
      await service.runJobs()
      return read(shop, file)
    },
    /** Undoes an import, and lets the worker do it. */
    async undo(shop: Shop, file: Wire): Promise<Wire> {
      const { status, text } = await shop.post(pathOf(file, '/undo'))
      assert.equal(status, 200, text)
      await service.runJobs()
      return read(shop, file)
    },
    async change(shop: Shop, file: Wire, input: object): Promise<Wire> {
      const { status, body, text } = await shop.put(pathOf(file), { import: input })
      assert.equal(status, 200, text)
      return body.import
    },
    async titles(shop: Shop): Promise<string[]> {
      const { products } = (await shop.get('/api/products.json?limit=250')).body
      return products.map(({ title }: Wire) => title)
    },
    upload(shop: Shop, body: Buffer | string, query = '', type = 'text/csv') {
      const headers = { 'content-type': type }
      return service.call('POST', `/api/imports.json${query}`, { token: shop.token, body: Buffer.from(body), headers })
    },
  }
}
