import assert from 'node:assert/strict'
import { test } from 'node:test'
import { useService } from '#test/harness.ts'
import { aFilm } from '#test/orders.ts'
import { mirrorAll, refund, sell } from '#test/sales.ts'
import { temporaryFolder } from './program.ts'
import { run } from './terminal.ts'

const service = useService()
const folder = temporaryFolder()

/** Runs a command in the database of the service. */
async function licet(...args: string[]) {
  return run(args, { PORT: '0', LICET_DATA: await folder, DATABASE_URL: service.database.url })
}

test('ledger lists what is booked, with what is owed to whom in which currency', async () => {
  const [owner, seller] = [await service.openShop(), await service.openShop()]
  await aFilm(service, owner, 1190, { title: 'The\u001b[31m Way' })
  assert.equal((await licet('ledger', '--company', String(owner.companyId))).out, 'Nothing is booked.\n')
  const [film] = await mirrorAll(service, owner, seller)
  const first = await sell(seller, [{ product: film, quantity: 2 }])
  const inDollars = await sell(seller, [{ product: film }], { currency: 'USD' })
  await refund(seller, inDollars.id)
  await refund(seller, first.id, { refund_line_items: [{ line_item_id: first.line_items[0].id, quantity: 1 }] })

  const theirs = await licet('ledger', '--company', String(owner.companyId))
  assert.equal(theirs.code, 0, theirs.err)
  const lines = theirs.out.trimEnd().split('\n')
  assert.deepEqual(lines.slice(0, 4), [
    'With company  Balance  Currency  Meaning',
    `        ${seller.companyId}     3.00  EUR       to receive`,
    `        ${seller.companyId}     0.00  USD       even`,
    '',
  ])
  assert.equal(lines.length, 3 + 1 + 1 + 4)
  assert.match(
    lines[4]!,
    /^ *Id {2}Booked +Kind +Amount {2}Currency {2}Order {2}Sold by {2}With company {2}Quantity {2}Product$/,
  )
  assert.match(
    lines[5]!,
    new RegExp(
      `^ *\\d+  \\S+  refund +-3\\.00  EUR +${first.id} +${seller.companyId} +${seller.companyId} +1  The \\[31m Way$`,
    ),
  )

  const ours = await licet('ledger', '--company', String(seller.companyId), '--limit', '1', '--json')
  const { balances, ledger_entries } = JSON.parse(ours.out)
  const { company_name } = (await owner.get(`/api/companies/${owner.companyId}.json`)).body.company
  assert.deepEqual(balances, [
    { counterpart_id: owner.companyId, company_name, currency: 'EUR', amount: -300, entries: 2 },
    { counterpart_id: owner.companyId, company_name, currency: 'USD', amount: 0, entries: 2 },
  ])
  const shown = (await seller.get('/api/ledger_entries.json')).body.ledger_entries
  assert.deepEqual(ledger_entries, [shown.at(-1)])
  assert.match(
    (await licet('ledger', '--company', String(seller.companyId))).out,
    new RegExp(`^ +${owner.companyId} +-3\\.00  EUR +to pay$`, 'm'),
  )
})

for (const [name, args, complaint] of [
  ['of nobody', [], /--company/],
  ['of no company', ['--company', '7'], /There is no company 7/],
  ['of no number', ['--company', 'x'], /whole number/],
  ['with no limit', ['--company', '1000', '--limit', '0'], /whole number/],
] as const) {
  test(`ledger ${name} is refused in one line`, async () => {
    const { code, out, err } = await licet('ledger', ...args)
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, complaint)
    assert.match(err, /^[^\n]+\n$/)
  })
}
