import { inBatches } from '#platform/db/batches.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource, WorkDependencies } from '#platform/resource.ts'
import { FOLLOW_SUBSCRIPTION } from '#selling/orders/jobs.ts'
import type { PaymentWork } from '#selling/payments/gateways/commands.ts'
import { announcePrices } from './announce.worker.ts'
import { advance, enqueueDue, enqueueDueOf } from './charges/charge.worker.ts'
import { advanceAll } from './charges/together.worker.ts'
import { recordCancellation } from './declarations/commands.ts'
import { RECORD_CANCELLATION } from './declarations/jobs.ts'
import { ADVANCE_SUBSCRIPTIONS, TELL_SUBSCRIBER } from './jobs.ts'
import { tellSubscriber } from './mails.ts'
import { findNextDueAt } from './queries.ts'
import { subscriptionRoutes } from './routes.ts'
import { PlannedChange, Subscription, SubscriptionEntry, SubscriptionPeriod } from './schema.ts'
import { subscriptionSettingsRoutes } from './settings/routes.ts'
import { SubscriptionSettings } from './settings/schema.ts'
import { addChangesToDays, correctSubscriptionDays } from './statistics/commands.ts'

const CHANGES_AT_ONCE = 1000

function workOf({ db, clock, vault, outbound, serviceUrls, baseUrl }: WorkDependencies): PaymentWork {
  const change: PaymentWork['change'] = (work) => inTransaction(db, work)
  return { db, change, now: clock.of, clock, vault, outbound, serviceUrls, baseUrl: () => baseUrl }
}

export const subscriptions: Resource = {
  tags: [{ name: 'Subscriptions', description: 'Customers who have signed up to plans, and what they pay.' }],
  schemas: [Subscription, PlannedChange, SubscriptionPeriod, SubscriptionEntry, SubscriptionSettings],
  routes: [subscriptionRoutes],
  userRoutes: [subscriptionSettingsRoutes],
  recount: correctSubscriptionDays,
  jobs: (dependencies) => {
    const { db, clock, baseUrl } = dependencies
    const work = workOf(dependencies)
    return [
      createHandler(ADVANCE_SUBSCRIPTIONS, ({ companyId, data }) => advanceAll(work, companyId, data.subscription_ids)),
      createHandler(FOLLOW_SUBSCRIPTION, ({ companyId, data }) => advance(work, companyId, data.subscription_id)),
      createHandler(
        TELL_SUBSCRIBER,
        doneOnce(db, (tx, { companyId, data }) => tellSubscriber(tx, companyId, data, baseUrl, clock.of(companyId))),
      ),
      createHandler(
        RECORD_CANCELLATION,
        doneOnce(db, (tx, { companyId, data }) =>
          recordCancellation(tx, companyId, data, baseUrl, clock.of(companyId)),
        ),
      ),
    ]
  },
  due: (dependencies) => [
    {
      next: (companyId, after, until) => findNextDueAt(dependencies.db, companyId, after, until),
      run: async (companyId, now) => {
        await announcePrices(workOf(dependencies), companyId)
        return enqueueDueOf(dependencies.db, companyId, now)
      },
    },
  ],
  chores: (dependencies) => ({
    'tell subscribers of other prices': {
      everySeconds: 3600,
      run: () => announcePrices(workOf(dependencies)),
    },
    'add changes of subscriptions to their days': {
      everySeconds: 60,
      run: () => inBatches(dependencies.db, (tx) => addChangesToDays(tx, CHANGES_AT_ONCE)),
    },
    'renew subscriptions': { everySeconds: 20, run: () => enqueueDue(workOf(dependencies)) },
  }),
}
