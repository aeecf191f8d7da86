import type { Gateway } from './gateway.ts'
import type { PaymentState, Report } from './state.ts'

/** The cards of the Test gateway, with the numbers that developers know from Stripe. */
export const TEST_CARDS = {
  succeeds: '4242424242424242',
  fails: '4000000000000002',
  /** The customer has to approve the payment in a second step, as with 3-D Secure. */
  asks: '4000000000003220',
} as const

const DECLINED = 'card_declined'

function paid({ amount_cents, currency, token }: PaymentState): Report {
  return { kind: 'paid', amountCents: amount_cents, currency, reference: `test_${token}` }
}

/** Moves no money. It is for owners who try their shop out, and its orders are tests. */
export const testGateway: Gateway = {
  name: 'Test',
  async create(payment, { card = '' }) {
    const number = card.replace(/[\s-]/g, '')
    if (number === TEST_CARDS.asks) return { kind: 'step' }
    if (number === TEST_CARDS.succeeds) return { kind: 'reported', report: paid(payment) }
    return { kind: 'reported', report: { kind: 'failed', failure: DECLINED } }
  },
  async confirm(payment, { approved }) {
    if (approved === undefined) return { kind: 'open' }
    return approved ? paid(payment) : { kind: 'failed', failure: DECLINED }
  },
  refund: async (_payment, _amountCents, key) => ({ kind: 'done', externalId: `test_${key}` }),
  readWebhook: async () => undefined,
}
