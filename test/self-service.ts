import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { aCustomer, shareCustomer } from './customers.ts'
import type { Wire } from './factories.ts'
import type { Answer, Service, Shop } from './harness.ts'
import { untilWaiting } from './in-line.ts'
import { mailsTo } from './users.ts'

/** A customer whom two companies know. */
export async function aSharedCustomer(service: Service): Promise<{ shop: Shop; other: Shop; customer: Wire }> {
  const [shop, other] = [await service.openShop(), await service.openShop()]
  const customer = await aCustomer(shop)
  await shareCustomer(other, customer)
  return { shop, other, customer }
}

export async function nameOf(shop: Shop): Promise<string> {
  return (await shop.get('/api/companies.json')).body.company.company_name
}

/** Requests a change that only the customer may make, and is refused. */
export async function askFor(shop: Shop, { token }: Wire, change: object): Promise<Answer> {
  const answer = await shop.put(`/api/customers/${token}.json`, { customer: change })
  assert.equal(answer.status, 409, answer.text)
  return answer
}

/** The path of the link in the last mail to an address. */
export async function pathTo(service: Service, email: string): Promise<string> {
  const mail = (await mailsTo(service, email)).at(-1)
  const [, path] = /(\/customer\/[\w-]{43})\n/.exec(mail?.text ?? '') ?? []
  assert.ok(path, mail?.text ?? 'no mail')
  return path
}

/**
 * Holds a customer's account while these are started, each when the one before waits for it; then lets them go on in
 * that order.
 */
export async function oneByOne<Result>(
  service: Service,
  { id }: Wire,
  starts: (() => Promise<Result>)[],
): Promise<Result[]> {
  const results: Promise<Result>[] = []
  await inTransaction(service.db, async (tx) => {
    await sql`select id from customers where id = ${id} for update`.execute(tx)
    for (const start of starts) {
      results.push(start())
      await untilWaiting(service, results.length)
    }
  })
  return Promise.all(results)
}
