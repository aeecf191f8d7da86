import type { FastifyError, FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { logged } from '#platform/http/errors.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { createSender, type SentFile } from '#rights/content-files/delivery/site.ts'
import { FORMATS } from '#rights/publications/rules.ts'
import { getOpenLicense, type LicenseRef, readLicenseDocument, readStatusDocument } from './documents.files.ts'
import { deviceMissing, registrationRefused } from './errors.ts'
import { injectLicense } from './injection.files.ts'
import { LICENSE_TYPE, publicationName, STATUS_TYPE } from './present.ts'
import { problemType } from './problem-types.facts.ts'
import { getLicenseByUid } from './queries.ts'
import type { ReadingLicense, WholeLicense } from './state.ts'
import { type ReaderDevice, registerReader, renewLicense, returnLicense } from './status.commands.ts'

const PRIVATE = {
  'cache-control': 'private, no-store',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
}

const Ref = Type.Object({ company: Type.String({ maxLength: 20 }), uid: Type.String({ maxLength: 40 }) })
const Text = Type.Optional(Type.String({ maxLength: 255 }))
const Asked = Type.Object({ id: Text, name: Text, end: Type.Optional(Type.String({ maxLength: 40 })) })

/**
 * What reading apps talk to: license, publication and status, by the standards Readium LCP and LSD. There are no cookies and no
 * tokens here: the address of a license is not to be guessed, and what it leads to opens with the passphrase only.
 */
export const readerRoutes: FastifyPluginCallback<ResourceOptions> = (app, options, done) => {
  const { db, now, vault, files, transfers, reading } = options
  const open = {
    config: { public: true, priority: 'high' },
    schema: { hide: true, params: Ref },
    errorHandler: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) =>
      sendProblem(reply, error, request),
  } as const
  const acting = { ...open, schema: { ...open.schema, querystring: Asked } } as const
  const work = () => ({ db, vault, reading, baseUrl: app.baseUrl })

  app.get('/lcp/:company/:uid/license.lcpl', open, async (request, reply) => {
    const whole = await getOpenLicense(db, refOf(request), now(refOf(request).companyId))
    const name = whole.license.file_name.replace(/\.[A-Za-z0-9]{1,5}$/, '')
    return reply
      .headers({ ...PRIVATE, 'content-type': LICENSE_TYPE, 'content-disposition': attachment(`${name}.lcpl`) })
      .send(await readLicenseDocument(work(), whole))
  })

  app.get('/lcp/:company/:uid/publication', { ...open, compress: false }, async (request, reply) => {
    const whole = await getOpenLicense(db, refOf(request), now(refOf(request).companyId))
    return createSender(app, { files, transfers })(request, reply, sentAs(whole, whole.publication), 'private')
  })

  app.get('/lcp/:company/:uid/download', { ...open, compress: false }, async (request, reply) => {
    const whole = await getOpenLicense(db, refOf(request), now(refOf(request).companyId))
    const license = await readLicenseDocument(work(), whole)
    const injected = await injectLicense(files, whole.publication, license)
    const ways = { files: injected.files, transfers: { ...transfers, accelPath: undefined } }
    return createSender(app, ways)(request, reply, sentAs(whole, injected), 'private')
  })

  const sendStatus = async (reply: FastifyReply, ref: LicenseRef) =>
    reply
      .headers({ ...PRIVATE, 'content-type': STATUS_TYPE })
      .send(
        Buffer.from(JSON.stringify(await readStatusDocument({ db, baseUrl: app.baseUrl }, ref, now(ref.companyId)))),
      )

  app.get('/lcp/:company/:uid/status', open, async (request, reply) => sendStatus(reply, refOf(request)))

  app.post('/lcp/:company/:uid/register', acting, async (request, reply) => {
    const { license, device } = await readAction(request)
    const registered = await app.change((tx) => registerReader(tx, license, device, now(license.company_id)))
    if (registered.kind === 'refused') throw registrationRefused(registered.reason)
    return sendStatus(reply, refOf(request))
  })

  app.put('/lcp/:company/:uid/renew', acting, async (request, reply) => {
    const { license, device, end } = await readAction(request)
    await app.change((tx) => renewLicense(tx, license, device, end, now(license.company_id)))
    return sendStatus(reply, refOf(request))
  })

  app.put('/lcp/:company/:uid/return', acting, async (request, reply) => {
    const { license, device } = await readAction(request)
    await app.change((tx) => returnLicense(tx, license, device, now(license.company_id)))
    return sendStatus(reply, refOf(request))
  })

  async function readAction(
    request: FastifyRequest,
  ): Promise<{ license: ReadingLicense; device: ReaderDevice; end: string | undefined }> {
    const { companyId, uid } = refOf(request)
    const license = await getLicenseByUid(db, companyId, uid)
    const query = new Map(Object.entries(Object(request.query)))
    const [id, name, end] = ['id', 'name', 'end'].map((key) => query.get(key))
    if (typeof id !== 'string' || typeof name !== 'string' || !isPlain(id) || !isPlain(name)) throw deviceMissing()
    return { license, device: { id, name }, end: typeof end === 'string' && end !== '' ? end : undefined }
  }

  done()
}

const ID = /^[1-9][0-9]{0,14}$/

/** What an address says; company 0, which there is not, if it says nothing of the kind. */
function refOf({ params }: FastifyRequest): LicenseRef {
  const values = new Map(Object.entries(Object(params)))
  const [company, uid] = ['company', 'uid'].map((name) => String(values.get(name)))
  return { companyId: ID.test(company ?? '') ? Number(company) : 0, uid: (uid ?? '').toLowerCase() }
}

/** A text in one line, which PostgreSQL can store. */
function isPlain(text: string): boolean {
  return text.trim() !== '' && !/[\p{Cc}\p{Cs}]/u.test(text)
}

function attachment(name: string): string {
  return `attachment; filename*=UTF-8''${encodeURIComponent(name.toWellFormed()).replace(/['()*]/g, '_')}`
}

/** A publication as something that is sent, with what everybody gets or with a license inside. */
function sentAs(whole: WholeLicense, { size, sha256 }: { size: number; sha256: string }): SentFile {
  const { license, publication } = whole
  const { id, key, kind } = publication
  const { content_type } = FORMATS[kind]
  return { id, key, size, sha256, name: publicationName(whole), content_type, ready_at: license.updated_at }
}

/** RFC 9457, with the types that reading apps know. */
function sendProblem(reply: FastifyReply, error: FastifyError, request: FastifyRequest): FastifyReply {
  const { status, reason, message, headers } = logged(error, request)
  const body = { type: problemType(reason), title: message, status, detail: message }
  return reply
    .code(status)
    .headers({ ...headers, ...PRIVATE, 'content-type': 'application/problem+json' })
    .send(Buffer.from(JSON.stringify(body)))
}
