import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { serviceBusy } from '#platform/errors/errors.ts'
import { Fields, Paging, sendEntries } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { createKeyedMutex } from '#platform/http/requests/keyed-mutex.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { createSemaphore } from '#platform/processes/semaphore.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { type FindInstructions, holdInvoiceSettings, issueInvoice, updateInvoiceSettings } from './commands.ts'
import { invoiceLinkInvalid } from './errors.ts'
import { createInvoiceLinks } from './links.secrets.ts'
import { sendPdf } from './pdf.site.ts'
import { presentInvoice, presentInvoiceSettings } from './present.ts'
import { findPdf, getDocumentPdf, getInvoicePdf, readInvoiceSettings, readInvoicesOf } from './queries.ts'
import { Invoice, InvoiceSettings, InvoiceSettingsInput, PdfAnswer } from './schema.ts'

const config = { access: { scope: 'orders', permissions: ['accounting'] } } as const
const tags = ['Invoices']
const Ref = Type.Object({ id: PathPart('Id of the order.') })

const WAIT_MS = 20_000
const ISSUED_AT_ONCE = 4
const COMPANIES_WAITING_MAX = 50

// A document may take seconds, with a transaction open. Those that wait must not take the connections of all others.
const oneOfCompany = createKeyedMutex(WAIT_MS, serviceBusy)
const fewAtATime = createSemaphore(ISSUED_AT_ONCE, COMPANIES_WAITING_MAX)

export const createInvoiceRoutes =
  (findInstructions: FindInstructions): FastifyPluginCallbackTypebox<ResourceOptions> =>
  (app, { db, now }, done) => {
    app.get(
      '/orders/:id/invoices.json',
      {
        config,
        schema: {
          tags,
          operationId: 'listInvoicesOfOrder',
          summary: 'List the invoice and the credit notes of an order',
          params: Ref,
          querystring: Paging,
          response: { 200: Type.Object({ invoices: Type.Array(named(Invoice)) }) },
        },
      },
      async (request, reply) => {
        const invoices = await readInvoicesOf(db, request.caller.companyId, request.params.id)
        return sendEntries(request, reply, 'invoices', invoices.map(presentInvoice))
      },
    )

    app.get(
      '/orders/:id/invoice.pdf',
      {
        config,
        schema: {
          tags,
          operationId: 'getInvoicePdf',
          summary: 'Read the invoice of an order as a PDF',
          params: Ref,
          response: { 200: PdfAnswer },
        },
      },
      async (request, reply) =>
        sendPdf(request, reply, await getInvoicePdf(db, request.caller.companyId, request.params.id)),
    )

    app.get(
      '/orders/:id/invoices/:invoice_id.pdf',
      {
        config,
        schema: {
          tags,
          operationId: 'getDocumentPdf',
          summary: 'Read an invoice or a credit note of an order as a PDF',
          params: Type.Object({ ...Ref.properties, invoice_id: PathPart('Id of the invoice or credit note.') }),
          response: { 200: PdfAnswer },
        },
      },
      async (request, reply) => {
        const { id, invoice_id } = request.params
        return sendPdf(request, reply, await getDocumentPdf(db, request.caller.companyId, id, invoice_id))
      },
    )

    app.post(
      '/orders/:id/invoice.json',
      {
        config,
        schema: {
          tags,
          operationId: 'issueInvoice',
          summary: 'Issue the invoice of an order',
          description:
            'Orders of a shop get their invoice by themselves. For others it is issued on request, once: a second request answers the same invoice.',
          params: Ref,
          response: { 201: Type.Object({ invoice: named(Invoice) }) },
        },
      },
      async (request, reply) => {
        const { caller, params } = request
        return oneOfCompany(String(caller.companyId), () =>
          fewAtATime(() =>
            app.write(request, reply.code(201), 'invoice', (tx) =>
              issueInvoice(tx, caller, params.id, findInstructions, now(request.caller.companyId)),
            ),
          ),
        )
      },
    )

    done()
  }

const settings = { access: { permissions: ['create_users'] } } as const
const Settings = Type.Object({ invoice_settings: named(InvoiceSettings) })

export const invoiceSettingsRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  const invoiceSettings = single(
    'invoice_settings',
    async (db, { caller }: Asked<unknown>) =>
      asciiJson(presentInvoiceSettings(await readInvoiceSettings(db, caller.companyId, now(caller.companyId)))),
    (tx, { caller }) => holdInvoiceSettings(tx, caller.companyId, now(caller.companyId)),
  )

  app.get(
    '/invoice_settings.json',
    {
      config: settings,
      schema: {
        tags,
        operationId: 'getInvoiceSettings',
        summary: 'Read the invoice settings',
        querystring: Fields,
        response: { 200: Settings, 304: Type.Null({ description: 'Nothing changed.' }) },
      },
    },
    async (request, reply) => sendSingle(request, reply, invoiceSettings, db),
  )

  app.put(
    '/invoice_settings.json',
    {
      config: settings,
      schema: {
        tags,
        operationId: 'updateInvoiceSettings',
        summary: 'Change the invoice settings',
        description: 'Settings that are left out stay as they are, and so do documents that were issued.',
        body: Type.Object({ invoice_settings: InvoiceSettingsInput }),
        response: { 200: Settings },
      },
    },
    async (request, reply) =>
      app.write(request, reply, invoiceSettings, (tx) =>
        updateInvoiceSettings(tx, authorOf(request), request.body.invoice_settings, now(request.caller.companyId)),
      ),
  )
  done()
}

/** The links in mails. The signature is what lets the customer in. */
export const invoiceLinkRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, vault }, done) => {
  const links = createInvoiceLinks(vault)
  app.get(
    '/invoices/:company/:id/:signature',
    {
      config: { public: true },
      schema: {
        hide: true,
        params: Type.Object({
          company: PathPart('Id of the company.'),
          id: PathPart('Id of the document.'),
          signature: PathPart('Signature and `.pdf`.'),
        }),
      },
    },
    async (request, reply) => {
      const { params } = request
      const [companyId, id] = [Number(params.company), Number(params.id)]
      const isRight = links.isRight(companyId, id, params.signature.replace(/\.pdf$/, ''))
      const found = isRight ? await findPdf(db, companyId, id) : undefined
      if (found === undefined) throw invoiceLinkInvalid()
      return sendPdf(request, reply, found)
    },
  )
  done()
}
