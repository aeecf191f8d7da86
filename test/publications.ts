import { hash } from 'node:crypto'
import { inTransaction } from '#platform/db/transaction.ts'
import { requestPublication } from '#rights/publications/commands.ts'
import type { Service, Shop } from './harness.ts'

/** A publication that waits to be encrypted. */
export async function aPublication(service: Service, { companyId }: Shop): Promise<void> {
  const part = { key: 'content/1/1', sha256: hash('sha256', 'walden'), name: 'walden.epub' }
  const parts = [{ ...part, content_type: 'application/epub+zip', size: 6, duration: null }]
  const source = { company_id: companyId, kind: 'epub', title: 'Walden', parts } as const
  const { db, vault, clock } = service
  await inTransaction(db, (tx) => requestPublication(tx, vault, { ...source, parts }, clock.now()))
}
