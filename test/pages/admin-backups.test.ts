import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { useService } from '../harness.ts'
import { inspect, useAdmin } from './admin-pages.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'licet-backups-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const service = useService({ backups: () => ({ folder, companyId: 1000, perDay: 4 }) })
const openAdmin = useAdmin(service)

describe('backups', () => {
  test('are missed at Home, started by one press, and listed when they are checked', async () => {
    const own = await service.openShop()
    const { page, complaints } = await openAdmin(own)
    await page.getByRole('link', { name: 'There is no backup yet' }).click()
    await page.getByText('There is no backup in the folder yet.').waitFor()
    await inspect(page, 'backups-none')
    await page.getByRole('button', { name: 'Back up now' }).click()
    await page.getByText('A backup is waiting to be made.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Back up now' }).isDisabled())
    await service.runJobs()
    await page.getByText('The backup is done.').waitFor()
    await page.getByText('Checked', { exact: true }).waitFor()
    await page.getByText('3 more today').waitFor()
    await inspect(page, 'backups')
    assert.deepEqual(complaints, [])
  })

  test('are not shown to another company', async () => {
    const { page } = await openAdmin(await service.openShop())
    await page.goto('/admin/settings/company')
    await page.getByRole('link', { name: 'Activity' }).first().waitFor()
    assert.equal(await page.getByRole('link', { name: 'Backups' }).count(), 0)
    await page.goto('/admin/settings/backups')
    await page.getByText('There is no backup in the folder yet.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Back up now' }).isDisabled())
  })
})
