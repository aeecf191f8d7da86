import assert from 'node:assert/strict'
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Files } from '#platform/files/files.ts'
import { TRIES_MAX } from '#platform/jobs/retry.ts'
import { createLimitedProcess } from '#platform/processes/limited-process.ts'
import { type Shop, useService } from '#test/harness.ts'
import { aFilm } from '#test/media.ts'
import { ownedContent } from '#test/owned-content.ts'
import { requestPacking, resumePending } from './commands.ts'
import { bringSource, deleteAbandonedCopies, PACKER, type Packers } from './pack.files.ts'
import { createPacker } from './pack.worker.ts'
import type { PackedFileState } from './state.ts'

const service = useService()

/** A machine that is too slow for any film. */
const packers: Packers = createLimitedProcess({ ...PACKER, timeoutMs: 1 })
const slow = { packers }

async function packedOf({ companyId }: Shop): Promise<PackedFileState> {
  const row = await service.db
    .selectFrom('packed_files')
    .selectAll()
    .where('company_id', '=', companyId)
    .executeTakeFirstOrThrow()
  return row as unknown as PackedFileState
}

const jobOf = ({ company_id, id }: PackedFileState, attempts = 1) => ({
  id: 1,
  kind: 'packed-file/part',
  companyId: company_id,
  data: { id },
  attempts,
})

/** A film whose bytes are on no local disk, before it is packed. */
async function farAway(shop: Shop) {
  const film = await aFilm()
  const source = { company_id: shop.companyId, source_key: `content/${shop.companyId}/far`, size: film.length }
  await service.files.put(source.source_key, film)
  await inTransaction(service.db, (tx) => requestPacking(tx, source, service.clock.now()))
  const { localPath: _local, ...files } = service.files
  return { film, files: files satisfies Files, file: await packedOf(shop) }
}

const localCopies = async ({ company_id, id }: PackedFileState) =>
  (await readdir(service.uploadFolder)).filter((name) => name.startsWith(`packing-${company_id}-${id}`))

describe('a machine that is too busy to pack a film', () => {
  test('tries again, and gives the film away to nobody even after the last time', async () => {
    const shop = await service.openShop()
    const files = [{ bytes: await aFilm(), name: 'film.mp4' }]
    const terms = { drm: 1, allow_play: 1, total_downloads: -1, annual_downloads: -1 }
    const owned = await ownedContent(service, shop, { files, terms, product: { drm_protected: true } })
    const [{ id: fileId }] = owned.files
    const handler = createPacker(service, slow)
    for (let attempts = 1; attempts < TRIES_MAX; attempts += 1)
      await assert.rejects(handler.run(jobOf(await packedOf(shop), attempts)), /too much memory or time/)
    assert.equal((await packedOf(shop)).state, 'pending')
    await handler.run(jobOf(await packedOf(shop), TRIES_MAX))
    const { packing } = (await shop.get(`/api/files/${fileId}.json`)).body.file
    assert.partialDeepStrictEqual(packing, { status: 'failed', fault: { reason: 'too_complex' } })
    const asked = await shop.post(`/api/entitlements/${owned.id}/download.json`, { download: {} })
    assert.deepEqual([asked.status, asked.body.reason], [403, 'file_streamed'])
    // What "Try again" in the admin interface sends.
    const again = await shop.put(`/api/files/${fileId}.json`, { file: {} })
    assert.equal(again.body.file.packing.status, 'pending')
    await service.runJobs()
    assert.equal((await shop.get(`/api/files/${fileId}.json`)).body.file.packing.status, 'ready')
  })

  test('goes on with a film whose jobs were given up', async () => {
    const shop = await service.openShop()
    const { film, file } = await farAway(shop)
    assert.ok(film.length > 0)
    const jobs = () => service.db.updateTable('jobs').where('company_id', '=', shop.companyId)
    await jobs()
      .set({ failed_at: new Date(service.clock.now().getTime() - 7_200_000) })
      .execute()
    await service.runJobs()
    assert.equal((await packedOf(shop)).state, 'pending')
    await inTransaction(service.db, (tx) => resumePending(tx, service.clock.now()))
    await service.runJobs()
    assert.equal((await packedOf(shop)).state, 'ready', String(file.id))
  })
})

describe('a copy on the local disk', () => {
  test('is whole where two workers fetch it at once', async () => {
    const { film, files, file } = await farAway(await service.openShop())
    const brought = await Promise.all(Array.from({ length: 3 }, () => bringSource(files, service.uploadFolder, file)))
    for (const each of brought) {
      assert.ok(each.kind === 'here')
      assert.ok((await readFile(each.path)).equals(film))
    }
  })

  test('is deleted by the worker that comes when another machine has packed the last part, or the film is gone', async () => {
    const shop = await service.openShop()
    const { files, file } = await farAway(shop)
    await bringSource(files, service.uploadFolder, file)
    await service.db.deleteFrom('packed_files').where('company_id', '=', shop.companyId).execute()
    assert.equal((await localCopies(file)).length, 1)
    await createPacker({ ...service, files }).run(jobOf(file))
    assert.deepEqual(await localCopies(file), [])
  })

  test('is deleted some hours after its worker was killed', async () => {
    const folder = join(service.uploadFolder, 'abandoned')
    await mkdir(join(folder, 'packing-1000-1000-00ff00ff00ff'), { recursive: true })
    const names = ['packing-1000-1000', 'packing-1000-1001', 'something-else']
    for (const name of names) await writeFile(join(folder, name), 'x')
    const now = new Date()
    const old = new Date(now.getTime() - 7 * 3_600_000)
    for (const name of ['packing-1000-1000', 'packing-1000-1000-00ff00ff00ff', 'something-else'])
      await utimes(join(folder, name), old, old)
    await deleteAbandonedCopies(folder, now)
    assert.deepEqual((await readdir(folder)).sort(), ['packing-1000-1001', 'something-else'])
  })
})
