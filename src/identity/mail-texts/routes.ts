import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Fields } from '#platform/http/answers/lists.ts'
import { type Asked, sendSingle, single } from '#platform/http/answers/single.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { changeMailTexts } from './commands.ts'
import { presentMailKinds } from './present.ts'
import { countOwnTexts, getMailTextsDocument, lockMailTexts } from './queries.ts'
import { readMailRef } from './rules.ts'
import { MailKind, MailTexts, MailTextsInput } from './schema.ts'

const config = { access: { scope: 'themes', permissions: ['request_products'] } } as const
const tags = ['Mails']
const Ref = Type.Object({
  kind: PathPart('The kind of mail.', ['order_confirmation']),
  language: PathPart('Two-letter code of the language.', ['de']),
})
const One = Type.Object({ mail_texts: named(MailTexts) })
type Names = { kind: string; language: string }

const mailTexts = single(
  'mail_texts',
  async (db, { caller, params }: Asked<Names>) => getMailTextsDocument(db, caller.companyId, readMailRef(params)),
  (tx, { caller }) => lockMailTexts(tx, caller.companyId),
)

export const mailTextRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/mail_kinds.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listMailKinds',
        summary: 'List the kinds of mails that customers get',
        description: 'With the number of texts that the company has written itself, by language.',
        response: { 200: Type.Object({ mail_kinds: Type.Array(named(MailKind)) }) },
      },
    },
    async ({ caller }) => ({ mail_kinds: presentMailKinds(await countOwnTexts(db, caller.companyId)) }),
  )

  app.get(
    '/mail_kinds/:kind/:language.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getMailTexts',
        summary: 'Read the texts of a kind of mail',
        params: Ref,
        querystring: Fields,
        response: { 200: One },
      },
    },
    async (request, reply) => sendSingle(request, reply, mailTexts, db),
  )

  app.put(
    '/mail_kinds/:kind/:language.json',
    {
      config,
      schema: {
        tags,
        operationId: 'updateMailTexts',
        summary: 'Write own texts for a kind of mail',
        description:
          'Mails that are written from now on have them. They are plain texts with variables in braces, and plurals as in ICU messages; HTML is shown as it is written.',
        params: Ref,
        body: Type.Object({ mail_texts: MailTextsInput }),
        response: { 200: One },
      },
    },
    async (request, reply) => {
      const ref = readMailRef(request.params)
      return app.write(request, reply, mailTexts, (tx) =>
        changeMailTexts(tx, authorOf(request), ref, request.body.mail_texts, now(request.caller.companyId)),
      )
    },
  )

  done()
}
