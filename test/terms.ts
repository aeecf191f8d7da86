import assert from 'node:assert/strict'
import type { Wire } from './factories.ts'
import type { Answer, Service, Shop } from './harness.ts'

/** The resources with the terms of sale that a company sets itself, beside licenses and prices. */
export type Term = 'discount_code' | 'shipping_method' | 'tax_rate'

export function createTerm(shop: Shop, term: Term, attributes: object): Promise<Answer> {
  return shop.post(`/api/${term}s.json`, { [term]: attributes })
}

/** Creates a discount code, shipping method or tax rate through the interface. */
export async function aTerm(shop: Shop, term: Term, attributes: object): Promise<Wire> {
  const answer = await createTerm(shop, term, attributes)
  assert.equal(answer.status, 201, answer.text)
  return answer.body[term]
}

export async function changeTerm(shop: Shop, term: Term, id: number, attributes: object): Promise<Wire> {
  const answer = await shop.put(`/api/${term}s/${id}.json`, { [term]: attributes })
  assert.equal(answer.status, 200, answer.text)
  return answer.body[term]
}

export async function deleteTerm(shop: Shop, term: Term, id: number): Promise<void> {
  const answer = await shop.delete(`/api/${term}s/${id}.json`)
  assert.deepEqual([answer.status, answer.body], [200, {}], answer.text)
}

export async function listTerms(shop: Shop, term: Term, query = ''): Promise<Wire[]> {
  const answer = await shop.get(`/api/${term}s.json${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body[`${term}s`]
}

/** The audit entries of a company, oldest first: who did what to what. */
export async function auditOf(
  service: Service,
  { companyId }: { companyId: number },
): Promise<{ action: string; subject: string; user_id: number | null; app_id: number | null }[]> {
  return service.db
    .selectFrom('audit_entries')
    .select(['action', 'subject', 'user_id', 'app_id'])
    .where('company_id', '=', companyId)
    .orderBy('id')
    .execute()
}
