import { inBatches } from '#platform/db/batches.ts'
import { resetCounter } from '#platform/db/counters.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler } from '#platform/jobs/handlers.ts'
import type { Resource } from '#platform/resource.ts'
import { customerAddressRoutes } from './addresses/routes.ts'
import { CustomerAddress } from './addresses/schema.ts'
import { eraseTraces, type Forgetting, requestErasureAgain } from './erasure.worker.ts'
import { ERASE_TRACES } from './jobs.ts'
import { deleteOldCustomerLinks } from './links/commands.ts'
import { deleteOldLoginTokens } from './login-tokens/commands.ts'
import { CUSTOMERS, readCustomerIds } from './queries.ts'
import { refreshCustomers } from './relations.commands.ts'
import { createCustomerRoutes } from './routes.ts'
import { Customer, PasswordDiffers } from './schema.ts'
import { deleteOldCustomerSessions } from './sessions/commands.ts'
import { deleteOldSignUps } from './sign-ups/commands.ts'
import { customerStateRoutes } from './state.routes.ts'

export const createCustomers = (forgetting: Forgetting): Resource => ({
  tags: [
    { name: 'Customers', description: 'Who buys.' },
    { name: 'Customer addresses', description: 'Where customers live, and where things are sent.' },
  ],
  schemas: [CustomerAddress, Customer, PasswordDiffers],
  routes: [createCustomerRoutes(forgetting), customerAddressRoutes],
  userRoutes: [customerStateRoutes],
  jobs: ({ db }) => [createHandler(ERASE_TRACES, (job) => eraseTraces(db, job, forgetting))],
  chores: ({ db, clock }) => ({
    'try again to erase customers': {
      everySeconds: 3600,
      run: () => inTransaction(db, (tx) => requestErasureAgain(tx, clock.now())),
    },
    'delete old links of customers': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldCustomerLinks(tx, clock.now())),
    },
    'delete the marks of used login tokens': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldLoginTokens(tx, clock.now())),
    },
    'delete old sign-ups of customers': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldSignUps(tx, clock.now())),
    },
    'delete old sessions of customers': {
      everySeconds: 3600,
      run: () => inBatches(db, (tx) => deleteOldCustomerSessions(tx, clock.now())),
    },
  }),
  documents: [
    {
      name: 'customers',
      readIds: readCustomerIds,
      rewrite: refreshCustomers,
      recount: (tx, companyId) => resetCounter(tx, companyId, CUSTOMERS),
    },
  ],
})
