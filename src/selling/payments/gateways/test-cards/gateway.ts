import type { PaymentState, Report } from '../../state.ts'
import type { Cards, Gateway, GatewayKind } from '../gateway.ts'
import { TestInput, TestSettings } from './schema.ts'

/** The cards of the Test gateway, with numbers that developers know from others. Stored references contain their names. */
export const TEST_CARDS = {
  succeeds: '4242424242424242',
  fails: '4000000000000002',
  /** The customer has to approve the payment in a second step, as with 3-D Secure. */
  asks: '4000000000003220',
  /** The others pay at once, and what they are called after happens when a subscription renews. */
  failsFirstRenewal: '4000000000001018',
  failsSecondRenewal: '4000000000002024',
  failsRenewals: '4000000000000341',
  /** The bank wants the customer to confirm every renewal. */
  asksRenewals: '4000002760003184',
} as const

type TestCard = keyof typeof TEST_CARDS

const DECLINED = 'card_declined'

const NAMES = Object.keys(TEST_CARDS) as TestCard[]
const ENDS = '2049-12'

/** Which renewals a card refuses, and why. A second attempt of the same period succeeds, unless the card refuses all of them. */
const REFUSALS: Partial<Record<TestCard, { renewal: number | 'all'; failure: string }>> = {
  failsFirstRenewal: { renewal: 1, failure: DECLINED },
  failsSecondRenewal: { renewal: 2, failure: DECLINED },
  failsRenewals: { renewal: 'all', failure: DECLINED },
  asksRenewals: { renewal: 'all', failure: 'authentication_required' },
}

/** Why a card does not pay a renewal; undefined: it does. */
function refusalOf(card: TestCard, renewal: number, attempt: number): string | undefined {
  const refusal = REFUSALS[card]
  const isRefused = refusal?.renewal === 'all' || (refusal?.renewal === renewal && attempt === 1)
  return isRefused ? refusal?.failure : undefined
}

/** Nothing but the reference is stored of a card, so it says which card has paid and which renewal, from 1, that was. */
const referenceOf = (card: TestCard, renewal: number, token: string) => `test_${card}_${renewal}_${token}`

/** The card and the renewal of a payment; undefined if no card has paid it. */
function readReference(reference: string | null): { card: TestCard; renewal: number } | undefined {
  if (reference === null) return undefined
  const [, name, renewal] = /^test_([a-zA-Z]{1,30})_(\d{1,6})_/.exec(reference) ?? []
  const card = NAMES.find((one) => one === name)
  // Before there were renewals, references had only a token.
  return card === undefined ? { card: 'succeeds', renewal: 0 } : { card, renewal: Number(renewal) }
}

function paid({ amount_cents, currency, token }: PaymentState, card: TestCard, renewal: number) {
  const reference = referenceOf(card, renewal, token)
  return { kind: 'paid', amountCents: amount_cents, currency, reference } as const satisfies Report
}

const declined = { kind: 'failed', failure: DECLINED } as const satisfies Report

function cardOf(text: string): TestCard | undefined {
  const number = text.replace(/[\s-]/g, '')
  return NAMES.find((name) => TEST_CARDS[name] === number)
}

const cards: Cards = {
  paysAtOnce(number) {
    const card = cardOf(number)
    return card !== undefined && card !== 'fails' && card !== 'asks'
  },
  answer(payment, number) {
    const card = cardOf(number)
    if (card === 'asks') return { kind: 'step' }
    const isPaid = card !== undefined && card !== 'fails'
    return { kind: 'reported', report: isPaid ? paid(payment, card, 0) : declined }
  },
}

const gateway: Gateway = {
  create: async (payment, { card = '' }) => cards.answer(payment, card),
  async confirm(payment, { approved }) {
    if (approved === undefined) return { kind: 'open' }
    // Named like the card that succeeds: who pays with that one and approves at the same time has not paid twice.
    return approved ? paid(payment, 'succeeds', 0) : declined
  },
  refund: async (_payment, _amountCents, key) => ({ kind: 'done', externalId: `test_${key}` }),
  // Only a card that has paid before can be charged again.
  async chargeAgain(earlier, payment, attempt) {
    const known = readReference(earlier.reference)
    if (known === undefined) return declined
    const renewal = known.renewal + 1
    const failure = refusalOf(known.card, renewal, attempt)
    return failure === undefined ? paid(payment, known.card, renewal) : { kind: 'failed', failure }
  },
  async describeMeans({ reference }) {
    const known = readReference(reference)
    return known === undefined ? null : { brand: 'Visa', last4: TEST_CARDS[known.card].slice(-4), expires: ENDS }
  },
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
