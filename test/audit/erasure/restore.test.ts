import assert from 'node:assert/strict'
import { copyFile, mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Db, openDatabase } from '#platform/db/database.ts'
import { createLog } from '#platform/log/log.ts'
import { readConfig } from '#platform/settings/config.ts'
import { createBackupWriter } from '#program/boot/backup.ts'
import { restoreBackup } from '#program/boot/restore.ts'
import { createKeeper } from '#program/erasures/keep.worker.ts'
import { ERASED, listIn } from '#program/erasures/list.files.ts'
import { aCustomer } from '../../customers.ts'
import type { Wire } from '../../factories.ts'
import { type Shop, useService } from '../../harness.ts'
import { aBuyer, aFilm, anOrder } from '../../orders.ts'
import { createDatabase, type TestDatabase } from '../../server.ts'
import { start, temporaryFolder } from '../../start/program.ts'
import { searchTables } from './search.ts'

const service = useService()
const quiet = { onProgress: () => {} }

type Installation = { settings: Record<string, string>; db: Db }

describe('a backup of before a customer was erased', () => {
  const opened: { drop(): Promise<void> }[] = []
  let room: string
  let backups: string
  let shop: Shop
  let gone: Wire
  let other: Wire

  /** Restores the backup into a database and a folder of its own. */
  async function restored(name: string, erased: string[] = []): Promise<Installation & { again: number }> {
    const empty: TestDatabase = await createDatabase('empty')
    const settings = { LICET_DATA: join(room, name), DATABASE_URL: empty.url, LICET_DEMO: 'off' }
    const { erased_again } = await restoreBackup(readConfig(settings), join(backups, 'monday'), { ...quiet, erased })
    const { db, close } = openDatabase({ connectionString: empty.url }, { poolMax: 2 })
    opened.push({
      drop: async () => {
        await close()
        await empty.drop()
      },
    })
    return { settings, db, again: erased_again }
  }

  /** Where a database says who the erased customer is, beside the random token. */
  async function findingsIn({ db }: Installation): Promise<string[]> {
    const needles = { email: gone.email, note: 'Quellfinkel' }
    const { found } = await searchTables({ db }, needles)
    return found.filter((finding) => !finding.startsWith('orders.'))
  }

  before(async () => {
    room = await temporaryFolder('licet-erased-')
    backups = join(room, 'backups')
    shop = await service.openShop()
    gone = await aBuyer(shop, 'DE', { note: 'Quellfinkel' })
    other = await aCustomer(shop)
    await anOrder(shop, gone, [await aFilm(service, shop)])
    await service.runJobs()
    const { connection } = service.database
    const config = { dataFolder: room, secret: undefined, backups: { folder: backups, companyId: 1, perDay: 1 } }
    const installation = { ...config, dataFolder: join(room, 'data') }
    await mkdir(installation.dataFolder)
    const writer = createBackupWriter(installation, { db: service.db, connection })
    await writer?.write('monday', () => {})
    assert.equal((await shop.delete(`/api/customers/${gone.token}.json`)).status, 200)
    await service.runJobs()
  })
  after(async () => {
    for (const { drop } of opened) await drop()
  })

  test('brings the customer back where nobody knows of the erasure', async () => {
    assert.ok((await findingsIn(await restored('unknowing'))).some((finding) => finding.startsWith('customers.email')))
  })

  test('is restored without the customer by the list beside it, with everybody else', async () => {
    const keep = createKeeper({ db: service.db, log: createLog('silent'), erasureLists: [listIn(backups)] } as never)
    await keep()
    const installation = await restored('knowing')
    assert.equal(installation.again, 1)
    assert.deepEqual(await findingsIn(installation), [])
    const { rows } = await searchCustomers(installation)
    assert.deepEqual(rows, [other.email])
    const list = await readFile(join(backups, ERASED), 'utf8')
    assert.doesNotMatch(list.toLowerCase(), new RegExp(`${gone.email}|${gone.token}`, 'i'))
  })

  test('is restored without the customer by a list that the operator names', async () => {
    await copyFile(join(backups, ERASED), join(room, 'mine.jsonl'))
    await rm(join(backups, ERASED))
    assert.equal((await restored('told', [join(room, 'mine.jsonl')])).again, 1)
    await assert.rejects(restored('misled', [join(room, 'none.jsonl')]), /none\.jsonl can't be read \(ENOENT\)/)
  })

  test('is not served with the customer, whatever brought the database back', async () => {
    const installation = await restored('served')
    assert.notDeepEqual(await findingsIn(installation), [])
    await copyFile(join(room, 'mine.jsonl'), join(installation.settings.LICET_DATA ?? '', ERASED))
    const service = start(['serve'], installation.settings)
    await service.says(/Address +http/)
    assert.deepEqual(await findingsIn(installation), [])
  })
})

async function searchCustomers({ db }: Installation): Promise<{ rows: string[] }> {
  const rows = await db.selectFrom('customers').select('email').orderBy('id').execute()
  return { rows: rows.map(({ email }) => email) }
}
