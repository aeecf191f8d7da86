import { nowInSeconds } from '#platform/clock.ts'
import { inBatches } from '#platform/db/batches.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource, WorkDependencies } from '#platform/resource.ts'
import { END_OPEN_PAYMENTS } from '#selling/orders/jobs.ts'
import { FOLLOW_REFUND } from '#selling/orders/refunds/jobs.ts'
import { deleteOldEarlyEvents } from './early-events.commands.ts'
import type { PaymentWork } from './gateways/commands.ts'
import { ASK_FOR_PAYMENT, WARN_OF_PAYMENT } from './jobs.ts'
import { askForPayment, warnOfPayment } from './mails.ts'
import { giveUpReturn, payBack } from './pay-back.worker.ts'
import { findNextEnd } from './queries.ts'
import { paymentRoutes } from './routes.ts'
import { Payment, PaymentSettings } from './schema.ts'
import { GATEWAY_KEYS_PURPOSE } from './settings.commands.ts'
import { paymentSettingsRoutes } from './settings.routes.ts'
import { endOpenPayments } from './start.commands.ts'
import { cancelOverdueBills, finishPayments } from './unfinished.worker.ts'
import { paymentWebhookRoutes } from './webhook.routes.ts'

function workOf({ db, clock, vault, outbound, serviceUrls, baseUrl }: WorkDependencies): PaymentWork {
  const change: PaymentWork['change'] = (work) => inTransaction(db, work)
  return { db, change, now: clock.of, clock, vault, outbound, serviceUrls, baseUrl: () => baseUrl }
}

export const payments: Resource = {
  tags: [{ name: 'Payments', description: 'How customers pay for orders of a shop.' }],
  schemas: [Payment, PaymentSettings],
  routes: [paymentRoutes],
  rootRoutes: [paymentWebhookRoutes],
  userRoutes: [paymentSettingsRoutes],
  sealed: [{ table: 'payment_gateways', column: 'secrets', purpose: GATEWAY_KEYS_PURPOSE }],
  jobs: (dependencies) => {
    const { db, clock, baseUrl } = dependencies
    const work = workOf(dependencies)
    return [
      createHandler(
        FOLLOW_REFUND,
        (job) => payBack(work, job),
        (job) => giveUpReturn(work, job),
      ),
      createHandler(END_OPEN_PAYMENTS, ({ companyId, data }) => endOpenPayments(work, companyId, data.order_id)),
      createHandler(
        WARN_OF_PAYMENT,
        doneOnce(db, (tx, { companyId, data }) => warnOfPayment(tx, companyId, data, clock.of(companyId))),
      ),
      createHandler(
        ASK_FOR_PAYMENT,
        doneOnce(db, (tx, { companyId, data }) => askForPayment(tx, companyId, data, baseUrl, clock.of(companyId))),
      ),
    ]
  },
  due: (dependencies) => [
    {
      next: (companyId, after, until) => findNextEnd(dependencies.db, companyId, after, until),
      run: async (companyId, now) => {
        await finishPayments(workOf(dependencies), dependencies.log, { companyId, now })
        await cancelOverdueBills(workOf(dependencies), dependencies.log, { companyId, now })
        return 0
      },
    },
  ],
  chores: (dependencies) => ({
    'finish payments': {
      everySeconds: 300,
      run: () => finishPayments(workOf(dependencies), dependencies.log),
    },
    'delete old events of payments': {
      everySeconds: 86_400,
      run: () => inBatches(dependencies.db, (tx) => deleteOldEarlyEvents(tx, nowInSeconds(dependencies.clock))),
    },
    'cancel unpaid bills': {
      everySeconds: 3600,
      run: () => cancelOverdueBills(workOf(dependencies), dependencies.log),
    },
  }),
}
