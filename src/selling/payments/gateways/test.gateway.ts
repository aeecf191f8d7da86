import type { PaymentState, Report } from '../state.ts'
import type { Gateway, Started } from './gateway.ts'

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

const numberOf = (card: string) => card.replace(/[\s-]/g, '')

/** Does the card pay without another step? */
export function paysAtOnce(card: string): boolean {
  return numberOf(card) === TEST_CARDS.succeeds
}

/** The gateway is a part of this program, so that its answer to a card is known while an order is placed. */
export function answerToCard(payment: PaymentState, card: string): Exclude<Started, { kind: 'redirect' }> {
  if (numberOf(card) === TEST_CARDS.asks) return { kind: 'step' }
  return { kind: 'reported', report: paysAtOnce(card) ? paid(payment) : { kind: 'failed', failure: DECLINED } }
}

/** Moves no money. It is for owners who try their shop out, and its orders are tests. */
export const testGateway: Gateway = {
  name: 'Test',
  create: async (payment, { card = '' }) => answerToCard(payment, card),
  async confirm(payment, { approved }) {
    if (approved === undefined) return { kind: 'open' }
    return approved ? paid(payment) : { kind: 'failed', failure: DECLINED }
  },
  refund: async (_payment, _amountCents, key) => ({ kind: 'done', externalId: `test_${key}` }),
  readWebhook: async () => undefined,
}
