import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { Paging, sendRows } from '#platform/http/answers/lists.ts'
import { tokenCallerOf } from '#platform/http/requests/authenticate.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { refreshDeviceLicense, returnDeviceLicense } from './commands.ts'
import { createTrackFinder } from './delivery.files.ts'
import { issueDeviceLicense, readDeviceKey } from './issue.commands.ts'
import { readListed } from './listed.queries.ts'
import {
  DeviceLicenseAnswer,
  DeviceLicenseInput,
  DeviceLicenseShown,
  RefreshAnswer,
  RefreshInput,
  ReturnInput,
} from './schema.ts'
import { createTrackSender } from './tracks.site.ts'

const config = { access: { scope: ['customers', 'player'] }, priority: 'high' } as const
const tags = ['Offline apps']
const OfEntitlement = Type.Object({ id: PathPart('Id of the entitlement.') })
const Ref = Type.Object({ ...OfEntitlement.properties, license_id: PathPart('Id of the license.') })
const TrackRef = Type.Object({ ...Ref.properties, track: PathPart('The track, as the license names it.', ['v', 'a0']) })

export const deviceLicenseRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db, now }, done) => {
  app.get(
    '/entitlements/:id/device_licenses.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listDeviceLicenses',
        summary: 'List the licenses of devices',
        description: 'Those with which devices of the customer play without a connection, and those that they had.',
        params: OfEntitlement,
        querystring: Paging,
        response: { 200: Type.Object({ device_licenses: Type.Array(named(DeviceLicenseShown)) }) },
      },
    },
    async (request, reply) => {
      const { caller, params } = request
      const { list, present } = await readListed(db, caller, params.id, now(caller.companyId))
      return sendRows(request, reply, 'device_licenses', list, (rows) => rows.map(present))
    },
  )

  done()
}

/** For apps that play without a connection. */
export const offlineAppRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, options, done) => {
  const { db, vault, now } = options
  const find = createTrackFinder({ db, vault, now, change: app.change })
  const send = createTrackSender(app, options)
  const issuer = (companyId: number) => ({ vault, baseUrl: app.baseUrl, now: now(companyId) })

  app.post(
    '/entitlements/:id/device_license.json',
    {
      config,
      schema: {
        tags,
        operationId: 'issueDeviceLicense',
        summary: 'Get a license for a device',
        description:
          'With it an app downloads a protected film or recording and plays it without a connection. The rights engine is asked whether the customer may play and download it; the license counts as a download, and the device holds the content until the license ends or is returned. Asking again with the same key gives the same license with a new end, and counts nothing. If the customer may not have it, `device_license` is null, and `decision` says why.',
        params: OfEntitlement,
        body: Type.Object({ device_license: DeviceLicenseInput }),
        response: { 200: DeviceLicenseAnswer },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const viewer = { ...caller, appId: tokenCallerOf(request).appId }
      const input = { ...body.device_license, public_key: await readDeviceKey(body.device_license.public_key) }
      reply.header('cache-control', 'no-store')
      return app.write(request, reply, undefined, (tx) =>
        issueDeviceLicense(tx, issuer(caller.companyId), viewer, params.id, input),
      )
    },
  )

  app.post(
    '/entitlements/:id/device_licenses/:license_id/refresh.json',
    {
      config,
      schema: {
        tags,
        operationId: 'refreshDeviceLicense',
        summary: 'Refresh the license of a device',
        description:
          'Gives the same keys with a new end, if the customer may play it now: also after the license has ended, for as long as the entitlement has not. It counts no download. `plays` are counted in the statistics.',
        params: Ref,
        body: Type.Object({ refresh: RefreshInput }),
        response: { 200: RefreshAnswer },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const viewer = { ...caller, appId: tokenCallerOf(request).appId }
      const named = { ref: params.id, license: params.license_id }
      reply.header('cache-control', 'no-store')
      return app.write(request, reply, undefined, (tx) =>
        refreshDeviceLicense(tx, issuer(caller.companyId), viewer, named, body.refresh),
      )
    },
  )

  app.post(
    '/entitlements/:id/device_licenses/:license_id/return.json',
    {
      config,
      schema: {
        tags,
        operationId: 'returnDeviceLicense',
        summary: 'Return the license of a device',
        description:
          'The place of the device is free at once, the license is not refreshed any more, and its tracks cannot be downloaded. The app deletes the keys and the tracks. Returning it again changes nothing.',
        params: Ref,
        body: Type.Object({ return: ReturnInput }),
        response: { 200: Type.Object({ device_license: named(DeviceLicenseShown) }) },
      },
    },
    async (request, reply) => {
      const { caller, params, body } = request
      const viewer = { ...caller, appId: tokenCallerOf(request).appId }
      const named = { ref: params.id, license: params.license_id }
      return app.write(request, reply, 'device_license', (tx) =>
        returnDeviceLicense(tx, viewer, named, body.return.plays ?? [], now(caller.companyId)),
      )
    },
  )

  const closed = Type.Unsafe<unknown>({ $ref: 'Error#', description: 'The license was returned or replaced.' })
  const binary = { schema: Type.Unsafe({ type: 'string', format: 'binary' }) }
  app.get(
    '/entitlements/:id/device_licenses/:license_id/tracks/:track',
    {
      config,
      compress: false,
      schema: {
        tags,
        operationId: 'downloadTrack',
        summary: 'Download a track for a device',
        description:
          'The bytes of a track, encrypted with the key that the license has for it: AES-256 in counter mode, so that `Range` can begin at any byte. The counter is the number of the block of 16 bytes, in the last eight bytes of a block that is zero otherwise. `If-Range` with the `ETag` goes on with a download. Refused after the return or the end of the license, and when the customer may no longer have it.',
        params: TrackRef,
        response: {
          200: { description: 'The encrypted bytes.', content: { 'application/octet-stream': binary } },
          206: { description: 'A part of them.', content: { 'application/octet-stream': binary } },
          409: closed,
          416: { description: 'The part lies behind the end.', type: 'null' },
        },
      },
    },
    async (request, reply) => {
      const { id, license_id, track } = request.params
      const found = await find(request.caller, { id, license: license_id, track })
      return send(request, reply, found.track, found.license.issued_at)
    },
  )

  done()
}
