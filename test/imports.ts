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
