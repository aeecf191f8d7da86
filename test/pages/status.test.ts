import { describe, test } from 'node:test'
import { inTransaction } from '#platform/db/transaction.ts'
import { noteWorking } from '#program/status/commands.ts'
import { PARTS } from '#program/status/state.ts'
import { useBrowser } from '../browser.ts'
import { useService } from '../harness.ts'
import { inspect, watch } from './inspect.ts'

const service = useService({ statusPage: true })
const browser = useBrowser()

describe('the status page', () => {
  test('is read by everybody, with what was disturbed', async () => {
    const now = service.clock.now()
    for (const minutes of [4000, 2500])
      await inTransaction(service.db, (tx) => noteWorking(tx, PARTS, new Date(now.getTime() - minutes * 60_000)))
    await inTransaction(service.db, (tx) => noteWorking(tx, ['shops', 'work', 'webhooks'], now))
    const watched = await watch(browser, service.url)
    await watched.page.goto('/status')
    await inspect(watched, 'status', /Status/)
  })
})
