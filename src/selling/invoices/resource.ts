import { nowInSeconds } from '#platform/clock.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import type { Resource } from '#platform/resource.ts'
import { FOLLOW_CANCELLATION } from '#selling/orders/jobs.ts'
import { type FindInstructions, issueCancellation, issueCreditNote, issueRequested, requestAgain } from './commands.ts'
import { tellOwnerOnce } from './handlers.worker.ts'
import { ISSUE_CREDIT_NOTE, ISSUE_INVOICE } from './jobs.ts'
import { createInvoiceLinks } from './links.secrets.ts'
import { mailInvoice } from './mails.ts'
import { packingSlipRoutes } from './packing-slips/routes.ts'
import { createInvoiceRoutes, invoiceLinkRoutes, invoiceSettingsRoutes } from './routes.ts'
import { Invoice, InvoiceSettings } from './schema.ts'

export const createInvoices = (findInstructions: FindInstructions): Resource => ({
  tags: [{ name: 'Invoices', description: 'Invoices and credit notes of orders.' }],
  schemas: [Invoice, InvoiceSettings],
  routes: [createInvoiceRoutes(findInstructions), packingSlipRoutes],
  userRoutes: [invoiceSettingsRoutes],
  rootRoutes: [invoiceLinkRoutes],
  jobs: ({ db, clock, vault, baseUrl }) => {
    const links = createInvoiceLinks(vault)
    const toldOnce = tellOwnerOnce(db, clock)
    return [
      toldOnce(ISSUE_INVOICE, 'invoice', async (tx, { companyId, data }, now) => {
        const invoice = await issueRequested(tx, companyId, data, findInstructions, now)
        if (invoice !== undefined)
          await mailInvoice(tx, invoice, { baseUrl, path: links.pathOf(companyId, invoice.id) }, now)
      }),
      toldOnce(ISSUE_CREDIT_NOTE, 'credit_note', (tx, { companyId, data }, now) =>
        issueCreditNote(tx, companyId, data, findInstructions, now),
      ),
      toldOnce(FOLLOW_CANCELLATION, 'credit_note', (tx, { companyId, data }, now) =>
        issueCancellation(tx, companyId, data.order_id, findInstructions, now),
      ),
    ]
  },
  chores: ({ db, clock }) => ({
    'try again to issue invoices and credit notes': {
      everySeconds: 3600,
      run: () => inTransaction(db, (tx) => requestAgain(tx, nowInSeconds(clock))),
    },
  }),
})
