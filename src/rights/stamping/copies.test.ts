import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { PDFDocument } from '@cantoo/pdf-lib'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { type Shop, useService } from '#test/harness.ts'
import { run } from '#test/start/terminal.ts'
import { requestCopy } from './commands.ts'
import { deleteUnusedCopies } from './make-copy.worker.ts'
import { listFailures } from './queries.ts'
import { NOT_STAMPABLE, PDF_DAMAGED, SOURCE_GONE } from './refusals.facts.ts'
import type { Stamp } from './rules.ts'
import type { StampedCopy, StampSource } from './state.ts'

const service = useService()
const DAY = 86_400
const STAMP: Stamp = { name: 'Jane Doe', email: 'jane@example.com', order: '#1000', date: '2031-06-01', language: 'en' }

let entitlements = 0

/** A file of a shop that somebody has bought, stored as content files are. */
async function aSource(bytes: Uint8Array, shop?: Shop): Promise<StampSource> {
  const { companyId } = shop ?? (await service.openShop())
  entitlements += 1
  const source_key = `content/${companyId}/${hash('sha256', bytes, 'hex')}`
  await service.files.put(source_key, bytes)
  return { company_id: companyId, file_id: 7, entitlement_id: entitlements, name: 'book.pdf', source_key }
}

async function aPdf(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create()
  pdf.addPage()
  return pdf.save()
}

function request(source: StampSource, stamp: Partial<Stamp> = {}): Promise<StampedCopy> {
  const now = nowInSeconds(service.clock)
  return inTransaction(service.db, (tx) => requestCopy(tx, source, { ...STAMP, ...stamp }, now))
}

async function made(source: StampSource, stamp?: Partial<Stamp>) {
  await request(source, stamp)
  await service.runJobs()
  const copy = await request(source, stamp)
  assert.ok(copy.state === 'ready', JSON.stringify(copy))
  return copy
}

async function waitingJobs(): Promise<number> {
  const rows = await service.db.selectFrom('jobs').select('id').where('kind', '=', 'stamped-file/make').execute()
  return rows.length
}

async function licensedTo(key: string): Promise<string> {
  const bytes = await service.files.read(key)
  assert.ok(bytes)
  const { context } = await PDFDocument.load(bytes, { updateMetadata: false })
  const info = String(context.lookup(context.trailerInfo.Info))
  const hex = /LicensedTo <FEFF([0-9A-F]+)>/.exec(info)?.[1] ?? ''
  return Buffer.from(hex, 'hex').swap16().toString('utf16le')
}

test('a copy is made once for a buyer, by the worker, and kept', async () => {
  const source = await aSource(await aPdf())
  const first = await Promise.all(Array.from({ length: 5 }, () => request(source)))
  assert.deepEqual(first, Array(5).fill({ state: 'pending' }))
  assert.equal(await waitingJobs(), 1)
  await service.runJobs()
  const copy = await request(source)
  assert.ok(copy.state === 'ready')
  const bytes = await service.files.read(copy.key)
  assert.ok(bytes)
  assert.deepEqual([copy.size, copy.sha256], [bytes.length, hash('sha256', bytes, 'hex')])
  assert.match(await licensedTo(copy.key), /Jane Doe.*#1000/)
  assert.deepEqual(await request(source), copy)
  assert.equal(await waitingJobs(), 0)
})

test('every purchase has a copy of its own, which names the buyer as at the first time', async () => {
  const source = await aSource(await aPdf())
  const [one, other] = [await made(source), await made({ ...source, entitlement_id: 999 }, { name: 'John Roe' })]
  assert.notEqual(one.key, other.key)
  assert.match(await licensedTo(other.key), /John Roe/)
  assert.deepEqual(await request(source, { name: 'Jane Roe' }), one)
})

test('a copy that cannot be made says why, and is tried again a day later', async () => {
  const shop = await service.openShop()
  const cut = (await aPdf()).subarray(0, -20)
  const damaged = await aSource(cut, shop)
  const picture = await aSource(Buffer.from('GIF89a'), shop)
  const gone = { ...(await aSource(await aPdf(), shop)), source_key: 'content/none' }
  for (const source of [damaged, picture, gone]) await request(source)
  await service.runJobs()
  assert.deepEqual(await request(damaged), { state: 'failed', reason: PDF_DAMAGED })
  assert.deepEqual(await request(picture), { state: 'failed', reason: NOT_STAMPABLE })
  assert.deepEqual(await request(gone), { state: 'failed', reason: SOURCE_GONE })
  assert.deepEqual(
    (await listFailures(service.db, shop.companyId, 10)).map(({ reason }) => reason),
    [SOURCE_GONE, NOT_STAMPABLE, PDF_DAMAGED],
  )
  const settings = { PORT: '0', LICET_DATA: '/nowhere', DATABASE_URL: service.database.url }
  const { out } = await run(['files', 'failures', '--company', String(shop.companyId)], settings)
  assert.ok(out.includes(PDF_DAMAGED))
  assert.equal(await waitingJobs(), 0)
  service.clock.advance(DAY)
  await service.files.put(gone.source_key, await aPdf())
  assert.equal((await made(gone)).state, 'ready')
})

test('copies that nobody has fetched for 90 days are deleted, and made again when they are asked for', async () => {
  const source = await aSource(await aPdf())
  const other = { ...source, entitlement_id: 998 }
  const [unused, used] = [await made(source), await made(other)]
  service.clock.advance(60 * DAY)
  await request(other)
  service.clock.advance(31 * DAY)
  await deleteUnusedCopies(service)
  assert.equal(await service.files.exists(unused.key), false)
  assert.equal(await service.files.exists(used.key), true)
  const again = await made(source)
  assert.notEqual(again.key, unused.key)
})
