import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { sendDocument, sendJson } from '#platform/http/answers/answers.ts'
import { Fields, Paging, sendRows } from '#platform/http/answers/lists.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { Empty, named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { activate, checkActivation, deactivate, recordRefusal } from './activate.commands.ts'
import { readSoftwareKey, replaceSoftwareKey } from './commands.ts'
import { isUnknownKey } from './errors.ts'
import { deleteKey, importKeys } from './import.commands.ts'
import { assertMayTry, countTry, type KeyLimits, keyLimits } from './limits.commands.ts'
import { listKeys, listStocks } from './lists.queries.ts'
import { presentCount, presentListedKey, presentStock } from './present.ts'
import { countKeys, getSoftware } from './queries.ts'
import { readActivation, readKeyQuestion } from './rules.ts'
import {
  ActivationAnswer,
  ActivationInput,
  KeyCount,
  KeyImport,
  KeyQuestion,
  KeyStock,
  KeysInput,
  LISTED_STATES,
  ListedKey,
  NewActivationAnswer,
  SoftwareKey,
} from './schema.ts'

const readingKeys = { access: { scope: ['customers', 'player'], permissions: ['request_keyfile'] } } as const
const replacing = { access: { scope: 'customers', permissions: ['request_rescue_code'] } } as const
const importing = { access: { scope: 'products', permissions: ['request_keyfile'] } } as const
const tags = ['Software keys']
const EntitlementRef = Type.Object({ id: PathPart('Id of the entitlement.') })
const ProductRef = Type.Object({ id: PathPart('Id or `product_id` of the product.') })
const KeysQuery = Type.Object({
  state: Type.Optional(
    Type.Unsafe<ListedKey['state']>({
      type: 'string',
      enum: [...LISTED_STATES],
      description: 'Only keys in this state.',
    }),
  ),
  ...Paging.properties,
})
const Single = Type.Object({ software_key: named(SoftwareKey) })

/** Failures have the shape that they have everywhere; only routes with a scope get it without saying so. */
const refusal = Type.Unsafe<unknown>({ $ref: 'Error#' })
const REFUSALS = {
  400: refusal,
  404: refusal,
  413: refusal,
  415: refusal,
  422: refusal,
  429: refusal,
  500: refusal,
  503: refusal,
}

const WITHOUT_KEYS = Type.Unsafe<unknown>({ $ref: 'Error#', description: 'The product is no software.' })

export const softwareKeyRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  // Reading the key of what a customer owns may assign it.
  app.get(
    '/entitlements/:id/key.json',
    {
      config: readingKeys,
      // Asking for the headers alone would assign a key too.
      exposeHeadRoute: false,
      schema: {
        tags,
        operationId: 'getSoftwareKey',
        summary: 'Read the key of software',
        description:
          'The first read gives the customer a key: the next one of the list that was imported for the product, or a generated one if there is no list.',
        params: EntitlementRef,
        response: { 200: Single },
      },
    },
    async (request, reply) => {
      reply.header('cache-control', 'private, no-store')
      return app.write(request, reply, 'software_key', (tx) =>
        readSoftwareKey(tx, request.caller, request.params.id, now(request.caller.companyId)),
      )
    },
  )

  app.post(
    '/entitlements/:id/key/rotate.json',
    {
      config: replacing,
      schema: {
        tags,
        operationId: 'replaceSoftwareKey',
        summary: 'Replace the key of software',
        description: 'The customer gets a new key. The old one and its activations end at once.',
        params: EntitlementRef,
        response: { 200: Single },
      },
    },
    async (request, reply) =>
      app.write(request, reply, 'software_key', (tx) =>
        replaceSoftwareKey(tx, authorOf(request), request.params.id, now(request.caller.companyId)),
      ),
  )

  app.post(
    '/products/:id/keys.json',
    {
      config: importing,
      schema: {
        tags,
        operationId: 'importSoftwareKeys',
        summary: 'Import keys for software',
        description:
          'Up to 10,000 keys at once. A product with a list never gets generated keys. Customers who wait for a key get theirs in the order in which they asked.',
        params: ProductRef,
        body: KeysInput,
        response: { 201: Type.Object({ software_keys: named(KeyImport) }) },
      },
    },
    async (request, reply) =>
      app.write(request, reply.code(201), 'software_keys', (tx) =>
        importKeys(tx, authorOf(request), request.params.id, request.body.keys, now(request.caller.companyId)),
      ),
  )

  app.get(
    '/products/:id/keys.json',
    {
      config: importing,
      schema: {
        tags,
        operationId: 'listSoftwareKeys',
        summary: 'List the keys of software',
        description: 'Imported and generated keys, and which customer has which.',
        params: ProductRef,
        querystring: KeysQuery,
        response: { 200: Type.Object({ software_keys: Type.Array(named(ListedKey)) }), 409: WITHOUT_KEYS },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      const { id } = await getSoftware(db, companyId, request.params.id)
      reply.header('cache-control', 'private, no-store')
      return sendRows(request, reply, 'software_keys', listKeys(db, companyId, id, request.query.state), (rows) =>
        rows.map(presentListedKey),
      )
    },
  )

  app.get(
    '/software_keys.json',
    {
      config: importing,
      schema: {
        tags,
        operationId: 'listKeyStocks',
        summary: 'List how many keys are left',
        description: 'The products for which keys were imported.',
        querystring: Paging,
        response: { 200: Type.Object({ software_keys: Type.Array(named(KeyStock)) }) },
      },
    },
    async (request, reply) =>
      sendRows(request, reply, 'software_keys', listStocks(db, request.caller.companyId), (rows) =>
        rows.map(presentStock),
      ),
  )

  app.get(
    '/products/:id/keys/count.json',
    {
      config: importing,
      schema: {
        tags,
        operationId: 'countSoftwareKeys',
        summary: 'Count the imported keys of software',
        params: ProductRef,
        querystring: Fields,
        response: { 200: Type.Object({ software_keys: named(KeyCount) }), 409: WITHOUT_KEYS },
      },
    },
    async (request, reply) => {
      const list = await countKeys(db, request.caller.companyId, request.params.id)
      return sendDocument(request, reply, 'software_keys', asciiJson(presentCount(list)))
    },
  )

  app.delete(
    '/products/:id/keys/:key_id.json',
    {
      config: importing,
      schema: {
        tags,
        operationId: 'deleteSoftwareKey',
        summary: 'Delete a key that nobody has',
        description: 'It is not given to anybody any more. A key that a customer has is not deleted (409).',
        params: Type.Object({ id: ProductRef.properties.id, key_id: PathPart('Id of the key.') }),
        response: { 200: named(Empty), 409: WITHOUT_KEYS },
      },
    },
    async (request, reply) => {
      const { id, key_id } = request.params
      return app.remove(request, reply, undefined, (tx) =>
        deleteKey(tx, authorOf(request), id, key_id, now(request.caller.companyId)),
      )
    },
  )

  done()
}

/** For programs on the devices of customers. They have no token: the key is what they have. */
export const activationRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (
  app,
  { db, vault, now, clock },
  done,
) => {
  const config = { public: true, priority: 'high' } as const

  /** Asks with a key that may not exist. The refusal has rolled the transaction back, so the guess is counted apart. */
  async function withKey<Result>(
    request: FastifyRequest,
    key: string,
    work: (limits: KeyLimits) => Promise<Result>,
  ): Promise<Result> {
    const limits = keyLimits(key, request.ip)
    await assertMayTry(db, limits, nowInSeconds(clock))
    return work(limits).catch(async (error: unknown) => {
      if (isUnknownKey(error)) await app.change((tx) => countTry(tx, limits.unknown, nowInSeconds(clock)))
      throw error
    })
  }

  app.post(
    '/keys/activate.json',
    {
      config,
      schema: {
        tags,
        operationId: 'activateKey',
        summary: 'Activate a program on a device',
        description:
          'Takes a seat until the program is deactivated there. Activating again on the same device takes no other seat. With `request`, the answer has a signed activation for a program without a connection.',
        body: Type.Object({ activation: ActivationInput }),
        response: { 200: NewActivationAnswer, ...REFUSALS },
      },
    },
    async (request, reply) => {
      const asked = readActivation(request.body.activation)
      const document = await withKey(request, asked.key, async ({ refused }) => {
        const answer = await app.change((tx) => activate(tx, vault, asked, app.baseUrl, now))
        if (!answer.state.allowed) await app.change((tx) => countTry(tx, refused, nowInSeconds(clock)))
        return answer.document
      })
      return sendJson(reply, Buffer.from(document))
    },
  )

  app.post(
    '/keys/validate.json',
    {
      config,
      schema: {
        tags,
        operationId: 'validateKey',
        summary: 'Ask whether a program may run',
        description:
          'Nothing is counted. Where seats are limited, the program has to be activated on the device: otherwise the code is `not_activated`.',
        body: Type.Object({ activation: KeyQuestion }),
        response: { 200: ActivationAnswer, ...REFUSALS },
      },
    },
    async (request, reply) => {
      const asked = readKeyQuestion(request.body.activation)
      const check = await withKey(request, asked.key, () => checkActivation(db, asked, now))
      if (check.code !== 'allowed') await app.change((tx) => recordRefusal(tx, asked, check, now))
      return sendJson(reply, Buffer.from(check.document))
    },
  )

  app.post(
    '/keys/deactivate.json',
    {
      config,
      schema: {
        tags,
        operationId: 'deactivateKey',
        summary: 'Deactivate a program on a device',
        description: 'Another device can take the seat at once. `decision` says whether this one could take it again.',
        body: Type.Object({ activation: KeyQuestion }),
        response: { 200: ActivationAnswer, ...REFUSALS },
      },
    },
    async (request, reply) => {
      const asked = readKeyQuestion(request.body.activation)
      const { document } = await withKey(request, asked.key, () => app.change((tx) => deactivate(tx, asked, now)))
      return sendJson(reply, Buffer.from(document))
    },
  )

  done()
}
