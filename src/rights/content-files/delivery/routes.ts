import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendEntries } from '#platform/http/answers/lists.ts'
import { tokenCallerOf } from '#platform/http/requests/authenticate.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { OWN_ADDRESS } from '#platform/wire/own-address.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { assertGivenOut, decideAccess, filesOf } from '../access.rules.ts'
import { accessEnded, fileNotFound, fileNotIncluded } from '../errors.ts'
import { presentIncluded } from '../present.ts'
import { isPublic } from '../rules.ts'
import { DownloadInput, IncludedFile, Issued } from '../schema.ts'
import type { FileOfPurchase } from '../state.ts'
import { chooseFile, issueDownload } from './commands.ts'
import type { Audience } from './headers.files.ts'
import { getOwnDownload, takeOwnDownload } from './own-downloads.commands.ts'
import { getGrant, getOwnFile, getPublicFile } from './queries.ts'
import { createSignatures, type Signatures } from './signatures.secrets.ts'
import { createSender } from './site.ts'
import { prepareCopy } from './stamped.commands.ts'
import { sentVersion } from './stamped.queries.ts'

const ofFiles = { access: { scope: ['files', 'player'] } } as const
const ofCustomers = { access: { scope: ['customers', 'player'] } } as const
const FileRef = Type.Object({ id: PathPart('Id of the content file.') })
const EntitlementRef = Type.Object({ id: PathPart('Id of the entitlement.') })

const ID = /^[1-9][0-9]{0,14}$/
const number = (text: unknown) => (typeof text === 'string' && ID.test(text) ? Number(text) : 0)

type Address = { company: string; id: string; name: string }

/** Finds the file that an address leads to, if the address still gives access to it. */
function createFinder({ db, now }: ResourceOptions, signatures: Signatures) {
  return async ({ company, id }: Address, query: unknown): Promise<{ file: FileOfPurchase; audience: Audience }> => {
    const [companyId, fileId] = [number(company), number(id)]
    const values = new Map(Object.entries(query ?? {}))
    const signature = values.get('signature')
    if (typeof signature !== 'string') {
      const file = await getPublicFile(db, companyId, fileId)
      // No cache keeps a sample: the owner can put a price on it at any time.
      return { file, audience: isPublic(file) ? 'public' : 'private' }
    }
    const [entitlementId, customerId, expires] = ['entitlement', 'customer', 'expires'].map((name) =>
      number(values.get(name)),
    )
    const signed = {
      companyId,
      fileId,
      entitlementId: entitlementId ?? 0,
      customerId: customerId ?? 0,
      expires: expires ?? 0,
    }
    signatures.check(signed, signature, now(companyId))
    const grant = await getGrant(db, { companyId, customerId: signed.customerId }, String(signed.entitlementId))
    const verdict = decideAccess(grant, { kind: 'file', id: fileId }, now(companyId))
    if (verdict.kind === 'ended') throw accessEnded(verdict.reason)
    if (verdict.kind === 'not included') throw fileNotIncluded()
    assertGivenOut(verdict.file, 'play')
    return { file: await sentVersion(db, grant, verdict.file), audience: 'private' }
  }
}

/** The addresses of files, for everybody who has one. */
export const deliveryRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, done) => {
  const find = createFinder(options, createSignatures(options.vault))
  const send = createSender(app, options)
  app.route<{ Params: Address }>({
    method: ['GET', 'HEAD'],
    url: '/files/:company/:id/:name',
    config: { public: true, priority: 'high' },
    // What is sent is compressed already, and a part of a compressed answer is no part of the file.
    compress: false,
    schema: { hide: true, tags: ['Content files'], summary: 'Fetch a file' },
    handler: async (request, reply) => {
      const { company, id } = request.params
      if (!ID.test(company) || !ID.test(id)) throw fileNotFound('')
      const { file, audience } = await find(request.params, request.query)
      return send(request, reply, file, audience)
    },
  })
  done()
}

export const downloadRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, done) => {
  const { db, now } = options
  const signatures = createSignatures(options.vault)
  const send = createSender(app, options)
  app.get(
    '/files/:id/download',
    {
      config: ofFiles,
      compress: false,
      schema: {
        tags: ['Content files'],
        operationId: 'downloadFile',
        summary: 'Fetch the bytes of a content file',
        description:
          'For the company itself. `Range` gives a part. A customer with the scope `player` who owns the file is led to an address that works for six hours, with any number of requests and parts: each request here counts as a download.',
        params: FileRef,
        response: {
          200: {
            description: 'The bytes.',
            content: { 'application/octet-stream': { schema: Type.Unsafe({ type: 'string', format: 'binary' }) } },
          },
          303: { description: 'The address of the bytes, for a customer.', type: 'null' },
        },
      },
    },
    async (request, reply) => {
      const { caller, params, method } = request
      if (caller.customerId === null)
        return send(request, reply, await getOwnFile(db, caller.companyId, params.id), 'private')
      const customer = { companyId: caller.companyId, customerId: caller.customerId, appId: caller.appId }
      const [work, fileId] = [{ db, now, change: app.change }, number(params.id)]
      if (method === 'HEAD') return send(request, reply, await getOwnDownload(work, customer, fileId), 'private')
      const { url } = await takeOwnDownload(work, signatures, customer, fileId)
      return reply.header('cache-control', 'no-store').redirect(url.replace(OWN_ADDRESS, app.baseUrl), 303)
    },
  )

  app.get(
    '/entitlements/:id/files.json',
    {
      config: ofCustomers,
      schema: {
        tags: ['Entitlements'],
        operationId: 'listIncludedFiles',
        summary: 'List the files that an entitlement gives',
        description:
          'The files that the product has now, and those that it had when it was bought and has not replaced since.',
        params: EntitlementRef,
        querystring: Paging,
        response: { 200: Type.Object({ files: Type.Array(named(IncludedFile)) }) },
      },
    },
    async (request, reply) => {
      const included = filesOf(await getGrant(db, request.caller, request.params.id))
      const files = included.map(presentIncluded).sort((a, b) => a.id - b.id)
      return sendEntries(request, reply, 'files', files)
    },
  )

  done()
}

/** For players and apps, which download for a customer. */
export const issueRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now, vault }, done) => {
  const signatures = createSignatures(vault)

  app.post(
    '/entitlements/:id/download.json',
    {
      config: { ...ofCustomers, priority: 'high' },
      schema: {
        tags: ['Entitlements'],
        operationId: 'issueDownload',
        summary: 'Get the address of a file',
        description:
          'Asks the rights engine for a download and counts it, once for each address that is given out. The address works for six hours, with any number of requests and parts, and stops at once when the entitlement ends.',
        params: EntitlementRef,
        body: Type.Object({ download: DownloadInput }),
        response: { 200: Issued },
      },
    },
    async (request, reply) => {
      const { params, body } = request
      const caller = tokenCallerOf(request)
      const grant = await getGrant(db, caller, params.id)
      await prepareCopy(db, app.change, grant, chooseFile(grant, body.download.file_id), now(request.caller.companyId))
      return app.write(request, reply, undefined, (tx) =>
        issueDownload(tx, signatures, caller, params.id, body.download, now(request.caller.companyId)),
      )
    },
  )

  done()
}
