import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { anEpub } from '#test/books.ts'
import { useService } from '#test/harness.ts'
import { requestPublication } from './commands.ts'
import { createProtector } from './encrypt.worker.ts'
import { findPublication } from './queries.ts'

const service = useService()

test('what is stored is what is announced, also where two workers have encrypted it', async () => {
  const { companyId } = await service.openShop()
  const bytes = anEpub()
  const key = `content/${companyId}/book`
  await service.files.put(key, bytes)
  const part = { key, sha256: hash('sha256', bytes), name: 'book.epub', size: bytes.length, duration: null }
  const parts = [{ ...part, content_type: 'application/epub+zip' }]
  const source = { company_id: companyId, kind: 'epub', title: 'Terns', parts } as const
  const { id } = await inTransaction(service.db, (tx) =>
    requestPublication(tx, service.vault, { ...source, parts }, service.clock.now()),
  )
  const job = { id: 1, kind: 'publication/protect', companyId, data: { id }, attempts: 1 }
  // The first was taken for dead, and is as far as the second.
  await Promise.all([createProtector(service).run(job), createProtector(service).run(job)])
  const ready = await findPublication(service.db, companyId, id)
  assert.ok(ready?.state === 'ready' && ready.key !== null)
  const stored = await service.files.read(ready.key)
  assert.equal(hash('sha256', stored ?? ''), ready.sha256)
  // A worker was killed between storing its book and saying so.
  await service.db
    .updateTable('protected_publications')
    .set({ state: 'pending', key: null, size: null, sha256: null, directory: null })
    .where('company_id', '=', companyId)
    .execute()
  await createProtector(service).run(job)
  const again = await findPublication(service.db, companyId, id)
  assert.ok(again?.state === 'ready' && again.key !== null)
  assert.equal(hash('sha256', (await service.files.read(again.key)) ?? ''), again.sha256)
})
