import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { readMailRef } from '#identity/mail-texts/rules.ts'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { findCompanyMail, listCompanyMails, readRefusedRecipients } from '#platform/mail/company-mails.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { retryMail, sendTestMail } from './commands.ts'
import { mailNotFound } from './errors.ts'
import { presentMail, presentRefused, presentWholeMail } from './present.ts'
import { previewMail } from './preview.commands.ts'
import { Mail, MailFilters, MailPreview, PreviewInput, RefusedRecipient, SentTest, WholeMail } from './schema.ts'

/** A preview shows an order, and the list shows whom mails went to. */
const previewing = { access: { scope: 'orders', permissions: ['request_products'] } } as const
const reading = { access: { scope: 'customers', permissions: ['request_products'] } } as const
const tags = ['Mails']
const MailRef = Type.Object({ id: PathPart('Id of the mail.') })
const KindRef = Type.Object({
  kind: PathPart('The kind of mail.', ['order_confirmation']),
  language: PathPart('Two-letter code of the language.', ['de']),
})
const Body = Type.Object({ preview: PreviewInput })
const One = Type.Object({ mail: named(WholeMail) })
const REFUSED_MAX = 100

export const mailRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  const askedIn = (companyId: number, params: { kind: string; language: string }) => ({
    companyId,
    ...readMailRef(params),
    baseUrl: app.baseUrl,
    now: now(companyId),
  })

  app.post(
    '/mail_kinds/:kind/:language/preview.json',
    {
      config: previewing,
      schema: {
        tags,
        operationId: 'previewMail',
        summary: 'Show a mail as a customer would get it',
        description: 'With an order of the company, and with texts that are not saved yet. Nothing is sent.',
        params: KindRef,
        body: Body,
        response: { 200: Type.Object({ preview: named(MailPreview) }) },
      },
    },
    async ({ caller, params, body }) => {
      const { mail, orderId } = await previewMail(db, askedIn(caller.companyId, params), body.preview)
      return { preview: { subject: mail.subject, html: mail.html, text: mail.text, order_id: orderId } }
    },
  )

  app.post(
    '/mail_kinds/:kind/:language/test.json',
    {
      config: previewing,
      schema: {
        tags,
        operationId: 'sendTestMail',
        summary: 'Send a mail to yourself',
        description:
          'What the preview shows goes to the email address of the user behind the request, and to nobody else. At most ten within an hour.',
        params: KindRef,
        body: Body,
        response: { 200: Type.Object({ test: named(SentTest) }) },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const { mail } = await previewMail(db, askedIn(caller.companyId, params), body.preview)
      return app.write(request, reply, 'test', (tx) =>
        sendTestMail(tx, authorOf(request), mail, now(request.caller.companyId)),
      )
    },
  )

  app.get(
    '/mails.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listMails',
        summary: 'List the mails of the company',
        description:
          'Without their texts. Mails are kept for 30 days; those with a link for signing in are not listed.',
        querystring: Type.Object({ ...MailFilters.properties, ...Paging.properties }),
        response: { 200: Type.Object({ mails: Type.Array(named(Mail)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'mails', listCompanyMails(db, request.caller.companyId, request.query), (rows) =>
        rows.map(presentMail),
      ),
  )

  app.get(
    '/mails/refused_recipients.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'listRefusedRecipients',
        summary: 'List the addresses that mails could not be sent to',
        description: 'In the last 30 days, at most 100, the latest first, with the reason that the mail server gave.',
        response: { 200: Type.Object({ refused_recipients: Type.Array(named(RefusedRecipient)) }) },
      },
    },
    async ({ caller }) => ({
      refused_recipients: (await readRefusedRecipients(db, caller.companyId, REFUSED_MAX)).map(presentRefused),
    }),
  )

  app.get(
    '/mails/:id.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'getMail',
        summary: 'Read a mail',
        params: MailRef,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const mail = /^\d{1,15}$/.test(id) ? await findCompanyMail(db, request.caller.companyId, Number(id)) : undefined
      if (mail === undefined) throw mailNotFound(id)
      return sendDocument(request, reply, 'mail', asciiJson(presentWholeMail(mail)))
    },
  )

  app.post(
    '/mails/:id/retry.json',
    {
      config: reading,
      schema: {
        tags,
        operationId: 'retryMail',
        summary: 'Send a mail again that could not be sent',
        params: MailRef,
        response: { 200: One },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'mail', (tx) =>
        retryMail(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  done()
}
