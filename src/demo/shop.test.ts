import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { useService } from '#test/harness.ts'
import { demoAccess } from './shop.ts'

const service = useService()

test('the demo shop belongs to a company that lacks no data', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'licet-demo-'))
  try {
    const access = await demoAccess(service.db, service.vault, folder, service.clock)
    assert.ok(access)
    const answer = await service.call('GET', '/api/companies.json', { token: access.access_token })
    assert.equal(answer.status, 200, answer.text)
    const { company } = answer.body
    assert.deepEqual([company.id, company.valid, company.country], [access.company_id, true, 'Germany'])
    assert.equal(company.shop_status['Incomplete company data'], false)
    assert.equal(company.shop_status['No products'], false)
    assert.equal(company.shop_status['No active theme/domain'], false)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
