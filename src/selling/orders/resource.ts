import { nowInSeconds } from '#platform/clock.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource } from '#platform/resource.ts'
import { foldChanges } from './counts/fold.commands.ts'
import { hasManyChanges } from './counts/queries.ts'
import { resetAskedCounts, resetCounts } from './counts/reset.commands.ts'
import { countAwaitingOrders } from './late-rates.commands.ts'
import { createOrderMailers } from './mails/handlers.worker.ts'
import { orderMailRoutes } from './mails/routes.ts'
import type { SendBill } from './manual/commands.ts'
import { orderNoteRoutes } from './notes/routes.ts'
import { OrderNote } from './notes/schema.ts'
import { lockOrders, readOrderIds } from './queries.ts'
import { refundRoutes } from './refunds/routes.ts'
import { Refund, RefundCalculation } from './refunds/schema.ts'
import { createOrderRoutes } from './routes.ts'
import { saveOrder } from './rows.commands.ts'
import { OrderCalculation } from './sale/calculation.schema.ts'
import { calculationRoutes } from './sale/routes.ts'
import { Order } from './schema.ts'
import { recordWithdrawal } from './withdrawals/commands.ts'
import { RECORD_WITHDRAWAL } from './withdrawals/jobs.ts'
import { withdrawalRoutes } from './withdrawals/routes.ts'
import { OrderWithdrawal } from './withdrawals/schema.ts'

export const createOrders = (sendBill: SendBill): Resource => ({
  tags: [{ name: 'Orders', description: 'What customers have bought.' }],
  schemas: [Order, OrderCalculation, OrderNote, Refund, RefundCalculation, OrderWithdrawal],
  routes: [
    createOrderRoutes(sendBill),
    calculationRoutes,
    orderMailRoutes,
    orderNoteRoutes,
    refundRoutes,
    withdrawalRoutes,
  ],
  jobs: ({ db, clock, baseUrl }) => [
    ...createOrderMailers({ db, clock, baseUrl }),
    createHandler(
      RECORD_WITHDRAWAL,
      doneOnce(db, (tx, { companyId, data }) => recordWithdrawal(tx, companyId, data, baseUrl, clock.of(companyId))),
    ),
  ],
  chores: ({ db, clock }) => ({
    'add up changes of orders': {
      everySeconds: 5,
      run: () => foldChanges(db),
      isBehind: () => hasManyChanges(db),
    },
    'count orders that were never counted': { everySeconds: 60, run: () => resetAskedCounts(db) },
    'count orders that waited for a rate': {
      everySeconds: 3600,
      run: async () => void (await countAwaitingOrders(db, nowInSeconds(clock))),
    },
  }),
  documents: [
    {
      name: 'orders',
      readIds: readOrderIds,
      rewrite: async (tx, companyId, ids) => {
        for (const order of await lockOrders(tx, companyId, ids)) await saveOrder(tx, order)
      },
      recount: async (tx, companyId) => void (await resetCounts(tx, companyId)),
    },
  ],
})
