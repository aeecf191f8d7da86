import { FOLLOW_CANCELLATION } from '#orders/jobs.ts'
import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource } from '#platform/resource.ts'
import { issueCancellation, issueCreditNote, issueRequested, requestAgain } from './commands.ts'
import { ISSUE_CREDIT_NOTE, ISSUE_INVOICE } from './jobs.ts'
import { createInvoiceLinks } from './links.ts'
import { mailInvoice } from './mails.ts'
import { invoiceAdminRoutes, invoiceLinkRoutes, invoiceRoutes } from './routes.ts'
import { Invoice, InvoiceSettings } from './schema.ts'

export const invoices: Resource = {
  tags: [{ name: 'Invoices', description: 'Invoices and credit notes of orders.' }],
  schemas: [Invoice, InvoiceSettings],
  routes: [invoiceRoutes],
  adminRoutes: [invoiceAdminRoutes],
  rootRoutes: [invoiceLinkRoutes],
  jobs: ({ db, clock, vault, baseUrl }) => {
    const links = createInvoiceLinks(vault)
    return [
      createHandler(
        ISSUE_INVOICE,
        doneOnce(db, async (tx, { companyId, data }) => {
          const now = nowInSeconds(clock)
          const invoice = await issueRequested(tx, companyId, data.order_id, now)
          if (invoice !== undefined)
            await mailInvoice(tx, invoice, `${baseUrl}${links.pathOf(companyId, invoice.id)}`, now)
        }),
      ),
      createHandler(
        ISSUE_CREDIT_NOTE,
        doneOnce(db, (tx, { companyId, data }) => issueCreditNote(tx, companyId, data, nowInSeconds(clock))),
      ),
      createHandler(
        FOLLOW_CANCELLATION,
        doneOnce(db, (tx, { companyId, data }) => issueCancellation(tx, companyId, data.order_id, nowInSeconds(clock))),
      ),
    ]
  },
  chores: ({ db, clock }) => ({
    'try again to issue invoices and credit notes': {
      everySeconds: 3600,
      run: () => inTransaction(db, (tx) => requestAgain(tx, nowInSeconds(clock))),
    },
  }),
}
