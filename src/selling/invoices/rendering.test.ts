import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { inTransaction } from '#platform/db/transaction.ts'
import { TRIES_MAX } from '#platform/jobs/retry.ts'
import { aCustomer } from '#test/customers.ts'
import { type Answer, type Shop, useService } from '#test/harness.ts'
import { aBuyer, aFilm, anOrder } from '#test/orders.ts'
import { offer, placeToPay } from '#test/payments.ts'
import { cancel } from '#test/sales.ts'
import { requestAgain } from './commands.ts'
import { readInvoices } from './queries.ts'
import { renderInvoice } from './render.files.ts'
import type { InvoiceContent } from './state.ts'

const service = useService()

const IDEOGRAPHS = 200

/** An order whose lines are written with a thousand ideographs. */
async function aChineseOrder(shop: Shop): Promise<number> {
  const films = await Promise.all(
    Array.from({ length: 5 }, (_, film) => {
      const codes = Array.from({ length: IDEOGRAPHS }, (_code, index) => 0x4e00 + 7 * (film * IDEOGRAPHS + index))
      return aFilm(service, shop, 1190, { title: String.fromCodePoint(...codes) })
    }),
  )
  return (await anOrder(shop, await aBuyer(shop), films)).id
}

const issue = (shop: Shop, orderId: number): Promise<Answer> => shop.post(`/api/orders/${orderId}/invoice.json`)

/** The processes of this one that render invoices. */
function renderers(): number[] {
  const lines = execFileSync('ps', ['-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n')
  return lines.flatMap((line) => {
    const [pid, ppid] = line.trim().split(/\s+/, 2).map(Number)
    return ppid === process.pid && line.includes('renderer.process.ts') && pid !== undefined ? [pid] : []
  })
}

function signal(pids: readonly number[], name: NodeJS.Signals): void {
  for (const pid of pids)
    try {
      process.kill(pid, name)
    } catch {
      // It has ended by itself.
    }
}

/** Waits until a transaction holds the numbers of a company. */
async function untilNumbersAreHeld({ companyId }: Shop): Promise<void> {
  for (;;) {
    const { rows } = await sql`select from invoice_settings where company_id = ${companyId}
      for no key update skip locked`.execute(service.db)
    if (rows.length === 0) return
  }
}

test('an invoice that takes long keeps nobody else waiting', async () => {
  const [shop, other] = [await service.openShop(), await service.openShop()]
  const chinese = await aChineseOrder(shop)
  const first = await anOrder(shop, await aBuyer(shop), [await aFilm(service, shop)])
  assert.equal((await issue(shop, first.id)).status, 201)
  const running = renderers()
  assert.ok(running.length > 0, 'no process renders invoices')
  signal(running, 'SIGSTOP')
  let isMade = false
  const made = issue(shop, chinese).finally(() => {
    isMade = true
  })
  try {
    await untilNumbersAreHeld(shop)
    assert.equal((await other.get('/api/orders/count.json')).status, 200)
    assert.equal(isMade, false)
  } finally {
    signal(running, 'SIGCONT')
  }
  assert.equal((await made).status, 201)
})

test('many invoices of one company leave connections to the database for the others', async () => {
  const [shop, other] = [await service.openShop(), await service.openShop()]
  const [buyer, film] = [await aBuyer(shop), await aFilm(service, shop)]
  const orders = await Promise.all(Array.from({ length: 40 }, () => anOrder(shop, buyer, [film])))
  assert.equal((await issue(shop, orders[0]?.id)).status, 201)
  const running = renderers()
  signal(running, 'SIGSTOP')
  let made = 0
  const all = orders.map(({ id }) =>
    issue(shop, id).finally(() => {
      made += 1
    }),
  )
  try {
    await untilNumbersAreHeld(shop)
    // The first is answered from what is stored.
    while (made === 0) await nextTurn()
    await aCustomer(other)
    assert.equal(made, 1)
  } finally {
    signal(running, 'SIGCONT')
  }
  for (const answer of await Promise.all(all)) assert.equal(answer.status, 201, answer.text)
})

test('an invoice whose process ends fails alone, takes no number, and can be issued again', async () => {
  const shop = await service.openShop()
  const chinese = await aChineseOrder(shop)
  let isOver = false
  const failing = issue(shop, chinese).finally(() => {
    isOver = true
  })
  // A process takes longer to start than it lives here.
  while (!isOver) {
    signal(renderers(), 'SIGKILL')
    await nextTurn()
  }
  assert.equal((await failing).status, 500)
  assert.ok(service.log.some((line) => line.includes('invoice INV-0001 could not be rendered')))
  const again = await issue(shop, chinese)
  assert.deepEqual([again.status, again.body.invoice?.number], [201, 'INV-0001'])
})

/** Runs jobs until they are given up, while no process can render an invoice. */
async function runInVain(): Promise<void> {
  const { PATH } = process.env
  signal(renderers(), 'SIGKILL')
  process.env.PATH = '/nowhere'
  try {
    for (let tries = 0; tries < TRIES_MAX; tries += 1) {
      await service.runJobs()
      service.clock.advance(3600)
    }
  } finally {
    process.env.PATH = PATH
  }
}

test('an invoice whose job was given up is tried again the next day, and mailed', async () => {
  const shop = await service.openShop()
  await offer(service, shop, { manual: { enabled: true } })
  const { orderId } = await placeToPay(service, shop, await aBuyer(shop), [await aFilm(service, shop)], 'Manual')
  await runInVain()
  const numberAfter = async (hours: number) => {
    service.clock.advance(hours * 3600)
    await inTransaction(service.db, (tx) => requestAgain(tx, service.clock.now()))
    await service.runJobs()
    return (await readInvoices(service.db, shop.companyId, orderId))[0]?.number
  }
  assert.deepEqual([await numberAfter(20), await numberAfter(4)], [undefined, 'INV-0001'])
  const mails = await service.db
    .selectFrom('mails')
    .select('subject')
    .where('company_id', '=', shop.companyId)
    .execute()
  assert.equal(mails.filter(({ subject }) => subject.startsWith('Invoice INV-0001')).length, 1)
})

test('the owner is told once of an invoice or a credit note that cannot be made', async () => {
  const shop = await service.openShop()
  const { email } = (await shop.get(`/api/companies/${shop.companyId}.json`)).body.company
  await offer(service, shop, { manual: { enabled: true } })
  const [buyer, film] = [await aBuyer(shop), await aFilm(service, shop)]
  const { orderId: invoiced } = await placeToPay(service, shop, buyer, [film], 'Manual')
  assert.equal((await issue(shop, invoiced)).status, 201)
  await service.runJobs()
  const { orderId } = await placeToPay(service, shop, buyer, [film], 'Manual')
  // The payment asks for the invoice a second time.
  assert.equal((await shop.post(`/api/orders/${orderId}/mark_paid.json`)).status, 200)
  await cancel(shop, invoiced)
  const warnings = () =>
    service.db.selectFrom('mails').select(['subject', 'text']).where('recipient', '=', email).orderBy('id').execute()
  for (let day = 0; day < 2; day += 1) {
    await runInVain()
    service.clock.advance(24 * 3600)
    await inTransaction(service.db, (tx) => requestAgain(tx, service.clock.now()))
  }
  const mails = await warnings()
  assert.deepEqual(mails.map(({ subject }) => subject).sort(), [
    `The credit note for order #${invoiced} could not be created`,
    `The invoice for order #${orderId} could not be created`,
  ])
  for (const { text } of mails) assert.match(text ?? '', /tries again every day/)
  await service.runJobs()
  assert.equal((await readInvoices(service.db, shop.companyId, orderId)).length, 1)
  assert.equal((await warnings()).length, 2)
})

test('an invoice with more text than any order can have is not rendered', async () => {
  const party = { lines: ['Books & Co'], email: '', vatId: '' }
  const content: InvoiceContent = {
    kind: 'invoice',
    number: 'INV-0001',
    corrects: null,
    language: 'en',
    country: 'DE',
    poNumber: '',
    issuedAt: '2031-06-01T12:00:00Z',
    orderedAt: '2031-06-01T12:00:00Z',
    orderName: '#1000',
    currency: 'EUR',
    seller: party,
    buyer: party,
    lines: [],
    taxes: [],
    netCents: 0,
    taxCents: 0,
    totalCents: 0,
    reverseCharge: false,
    payment: null,
    note: 'x'.repeat(2_000_000),
  }
  await assert.rejects(renderInvoice(content), /too long/)
})
