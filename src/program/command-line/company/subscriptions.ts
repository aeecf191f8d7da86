import { type Command, InvalidArgumentError, Option } from 'commander'
import { readCompanyTime } from '#identity/test-clocks/queries.ts'
import { machineClock } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Author } from '#platform/identity/caller.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { parseTime } from '#platform/wire/times.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import { presentEntry, presentPeriod, presentSubscription } from '#selling/subscriptions/present.ts'
import { getSubscription, listChanges, listPeriods, listSubscriptions } from '#selling/subscriptions/queries.ts'
import type { SubscriptionInput } from '#selling/subscriptions/schema.ts'
import type { ChangeState, ListedSubscription, PeriodState, SubscriptionState } from '#selling/subscriptions/state.ts'
import { STATUSES } from '#selling/subscriptions/words.facts.ts'
import { getCompany } from '../administration.ts'
import { localTime, plain, print, type Terminal, wholeNumber } from '../program.ts'
import { table } from '../terminal/table.ts'
import { all, change, group, type Options, ofCompany, read } from './terms.ts'

const id = wholeNumber(1, Number.MAX_SAFE_INTEGER)
const CENTS = 100

const amountOf = ({ amount_cents, currency }: SubscriptionState) => `${(amount_cents / CENTS).toFixed(2)} ${currency}`
const wordsOf = (status: string) => status.replaceAll('_', ' ')
const ownerOf = ({ email }: ListedSubscription) => plain(email ?? 'an erased customer')

/** What comes next, and when. */
function nextOf({ status, ends_at, paused_until, due_at, period_end, ended_at }: SubscriptionState): string {
  if (status === 'ended') return `ended ${localTime(ended_at ?? period_end)}`
  if (status === 'cancelled') return `ends ${localTime(ends_at ?? period_end)}`
  if (status === 'paused') return paused_until === null ? '' : `resumes ${localTime(paused_until)}`
  if (status === 'past_due') return due_at === null ? '' : `next try ${localTime(due_at)}`
  return status === 'incomplete' ? 'waits for the first payment' : `renews ${localTime(period_end)}`
}

function inWords(subscription: ListedSubscription): string {
  const { id: subscriptionId, plan_id, group_id, status } = subscription
  return `Subscription ${subscriptionId} of ${ownerOf(subscription)}: plan ${plan_id} of ${group_id}, ${amountOf(subscription)}, ${wordsOf(status)}, ${nextOf(subscription)}.`
}

const detailsOf = ({ details }: ChangeState) =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${wordsOf(name)} ${value}`)
    .join(', ')

function wholeInWords(
  subscription: ListedSubscription,
  periods: readonly PeriodState[],
  changes: readonly ChangeState[],
) {
  const ofPeriods = table(periods, 'It has no periods.', {
    Period: ({ number }) => number,
    From: ({ starts_at }) => localTime(starts_at),
    Until: ({ ends_at }) => localTime(ends_at),
    Order: ({ order_id }) => order_id,
    State: ({ status }) => status,
  })
  const ofChanges = table(changes, 'Nothing has happened.', {
    Time: ({ created_at }) => localTime(created_at),
    'What happened': ({ kind }) => wordsOf(kind),
    Details: (entry) => detailsOf(entry),
  })
  return [inWords(subscription), ofPeriods, ofChanges].join('\n\n')
}

function time(text: string): Date {
  const read = parseTime(text)
  if (read === undefined) throw new InvalidArgumentError('It must be a time such as 2031-06-01, in UTC.')
  return read
}

type NewSubscription = Options & {
  plan: number
  email?: string
  customer?: string
  paid?: boolean
  testCard?: string
  trialDays?: number
  currency?: string
}

function subscriptionInput(options: NewSubscription): SubscriptionInput {
  const { plan: plan_id, email, customer, paid, testCard, trialDays, currency } = options
  if ((email === undefined) === (customer === undefined)) throw new StartError('Name --email or --customer.', 2)
  if (paid === true && testCard !== undefined) throw new StartError('Name --paid or --test-card.', 2)
  return {
    plan_id,
    ...(email === undefined ? {} : { email }),
    ...(customer === undefined ? {} : { customer_token: customer }),
    ...(paid === true ? { paid } : {}),
    ...(testCard === undefined ? {} : { test_card: testCard }),
    ...(trialDays === undefined ? {} : { trial_days: trialDays }),
    ...(currency === undefined ? {} : { currency }),
  }
}

type Filters = Options & { status?: (typeof STATUSES)[number]; group?: string; plan?: number; email?: string }

function addReads(subscriptions: Command, terminal: Terminal): void {
  ofCompany(subscriptions, 'list', 'List the subscriptions of a company, oldest first.')
    .addOption(new Option('--status <status>', 'only those in this state').choices(STATUSES))
    .option('--group <id>', 'only those of this group, such as s77')
    .option('--plan <id>', 'only those of this plan', id)
    .option('--email <text>', 'only those of customers whose name or address begins with this')
    .action(async ({ company, json, status, group: group_id, plan: plan_id, email: q }: Filters) => {
      const filters = {
        ...(status === undefined ? {} : { status }),
        ...(group_id === undefined ? {} : { group_id }),
        ...(plan_id === undefined ? {} : { plan_id }),
        ...(q === undefined ? {} : { q }),
      }
      const rows = await read(terminal, company, (db) => all(listSubscriptions(db, company, filters)))
      const text = table(rows, 'There are no subscriptions.', {
        Id: (row) => row.id,
        Customer: ownerOf,
        Group: (row) => row.group_id,
        Plan: (row) => row.plan_id,
        Price: amountOf,
        State: (row) => wordsOf(row.status),
        Next: nextOf,
      })
      print(terminal, json, { subscriptions: rows.map(presentSubscription) }, text)
    })

  ofCompany(subscriptions, 'show', 'Show a subscription with its periods, and what happened to it.')
    .argument('<id>', 'id of the subscription', id)
    .action(async (ref: number, { company, json }: Options) => {
      const [found, periods, changes] = await read(terminal, company, async (db) => {
        const subscription = await getSubscription(db, company, String(ref))
        return Promise.all([subscription, all(listPeriods(db, subscription)), all(listChanges(db, subscription))])
      })
      const whole = {
        subscription: presentSubscription(found),
        periods: periods.map(presentPeriod),
        timeline: changes.map(presentEntry),
      }
      print(terminal, json, whole, wholeInWords(found, periods, changes))
    })
}

type Change = (tx: Tx, author: Author, ref: string, now: Date) => Promise<SubscriptionState>

/** Changes a subscription, and prints it as it is then. */
async function changed(terminal: Terminal, { company, json }: Options, ref: number, work: Change): Promise<void> {
  const after = await change(terminal, company, async (tx, author, now) => {
    await work(tx, author, String(ref), now)
    return getSubscription(tx, company, String(ref))
  })
  print(terminal, json, { subscription: presentSubscription(after) }, inWords(after))
}

/** Signs a customer up, as a user of the company would. */
async function signUp(terminal: Terminal, options: NewSubscription): Promise<ListedSubscription> {
  const { createSignUpChecks, createSubscription } = await import('#selling/subscriptions/sign-up.commands.ts')
  const input = subscriptionInput(options)
  const { company } = options
  const author = { companyId: company, origin: COMMAND_LINE }
  return withDatabase(terminal.config(), async (db: Db) => {
    await getCompany(db, company)
    const now = await readCompanyTime(db, company)
    const identify = createSignUpChecks({ db, clock: machineClock, change: (work) => inTransaction(db, work) })
    const buyer = await identify(company, input, '')
    return inTransaction(db, async (tx) => {
      const { id: created } = await createSubscription(tx, author, input, buyer, now)
      return getSubscription(tx, company, String(created))
    })
  })
}

/** Loaded when something is changed: it knows how everything is sold. */
const changes = () => import('#selling/subscriptions/changes.commands.ts')

function addChanges(subscriptions: Command, terminal: Terminal): void {
  const ofOne = (name: string, summary: string) =>
    ofCompany(subscriptions, name, summary).argument('<id>', 'id of the subscription', id)

  ofOne('cancel', 'Cancel a subscription: it runs to the end of what was paid, or of its minimum term.')
    .option('--now', 'end it at once; nothing is refunded')
    .action((ref: number, options: Options & { now?: boolean }) =>
      changed(terminal, options, ref, async (tx, author, one, now) =>
        (await changes()).cancelSubscription(tx, author, one, { atOnce: options.now === true }, now),
      ),
    )

  ofOne('resume', 'Take back a cancellation or a pause.').action((ref: number, options: Options) =>
    changed(terminal, options, ref, async (...asked) => (await changes()).resumeSubscription(...asked)),
  )

  ofOne('pause', 'Pause a subscription from the end of what was paid.')
    .requiredOption('--until <time>', 'until this time, such as 2031-06-01', time)
    .action((ref: number, options: Options & { until: Date }) =>
      changed(terminal, options, ref, async (tx, author, one, now) =>
        (await changes()).pauseSubscription(tx, author, one, options.until, now),
      ),
    )

  ofOne('extend', 'Let the running period end later, for nothing.')
    .requiredOption('--until <time>', 'until this time, such as 2031-06-01', time)
    .action((ref: number, options: Options & { until: Date }) =>
      changed(terminal, options, ref, async (tx, author, one, now) =>
        (await changes()).extendSubscription(tx, author, one, options.until, now),
      ),
    )

  ofOne('change-plan', 'Change to another plan of the same group, with the next period.')
    .requiredOption('--plan <id>', 'the other plan', id)
    .option('--now', 'begin a period of it at once; what is left of the running one is credited')
    .action((ref: number, options: Options & { plan: number; now?: boolean }) => {
      const wish = { planId: options.plan, at: options.now === true ? 'now' : 'period_end' } as const
      return changed(terminal, options, ref, async (tx, author, one, now) => {
        const { changePlan } = await import('#selling/subscriptions/plan-change/commands.ts')
        return changePlan(tx, author, one, wish, now)
      })
    })
}

export function addSubscriptions(program: Command, terminal: Terminal): void {
  const subscriptions = group(program, 'subscription', 'Customers who have signed up to plans.')
  addReads(subscriptions, terminal)

  ofCompany(subscriptions, 'create', 'Sign a customer up to a plan. The customer gets a bill, unless it is paid.')
    .requiredOption('--plan <id>', 'the plan', id)
    .option('--email <address>', 'address of the customer')
    .option('--customer <token>', 'token of the customer, in place of the address')
    .option('--paid', 'the first period was paid by other means')
    .option('--test-card <number>', 'pay with a test card, where the shop offers them')
    .option('--trial-days <number>', 'free days in place of those of the plan', wholeNumber(0, 365))
    .option('--currency <code>', 'currency to pay in, such as EUR')
    .action(async (options: NewSubscription) => {
      const created = await signUp(terminal, options)
      print(terminal, options.json, { subscription: presentSubscription(created) }, inWords(created))
    })

  addChanges(subscriptions, terminal)
}
