import type { PaymentState, Report } from '../../state.ts'
import type { Cards, Gateway, GatewayKind } from '../gateway.ts'
import { TestInput, TestSettings } from './schema.ts'

/** The cards of the Test gateway, with the numbers that developers know from others. */
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

const cards: Cards = {
  paysAtOnce: (card) => numberOf(card) === TEST_CARDS.succeeds,
  answer(payment, card) {
    if (numberOf(card) === TEST_CARDS.asks) return { kind: 'step' }
    return { kind: 'reported', report: cards.paysAtOnce(card) ? paid(payment) : { kind: 'failed', failure: DECLINED } }
  },
}

const gateway: Gateway = {
  create: async (payment, { card = '' }) => cards.answer(payment, card),
  async confirm(payment, { approved }) {
    if (approved === undefined) return { kind: 'open' }
    return approved ? paid(payment) : { kind: 'failed', failure: DECLINED }
  },
  refund: async (_payment, _amountCents, key) => ({ kind: 'done', externalId: `test_${key}` }),
  // Only a card that has paid before can be charged again.
  chargeAgain: async (earlier, payment) =>
    earlier.reference === null ? { kind: 'failed', failure: DECLINED } : paid(payment),
  readWebhook: async () => undefined,
}

/** Moves no money. It is for owners who try their shop out, and its orders are tests. */
export const testCards: GatewayKind<'Test', typeof TestSettings, typeof TestInput> = {
  name: 'Test',
  settings: TestSettings,
  input: TestInput,
  keys: [],
  isPretended: true,
  signsNews: true,
  isElsewhere: false,
  cards,
  show: ({ enabled }) => ({ enabled }),
  inWords: ({ enabled }) => [`Test: ${enabled ? 'on' : 'off'}`],
  about: 'test cards that move no money',
  options: [],
  // Nobody gets anything for a test card once the owner has turned them off.
  open: ({ settings }) => (settings?.enabled ? gateway : undefined),
}
