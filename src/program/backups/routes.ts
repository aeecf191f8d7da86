import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { nowInSeconds } from '#platform/clock.ts'
import { authorOf } from '#platform/http/requests/origin.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named } from '#platform/wire/schema.ts'
import { listBackups } from '#program/boot/backup-list.ts'
import { startBackup } from './commands.ts'
import { backupsNotOffered } from './errors.ts'
import { presentBackup, presentRun } from './present.ts'
import { countRunsSince, findLastRun } from './queries.ts'
import { daysBefore, mayBackUp } from './rules.ts'
import { Backups } from './schema.ts'

const config = { access: { permissions: ['create_users'] } } as const
const tags = ['Backups']
const One = Type.Object({ backups: named(Backups) })
const NONE: Backups = { available: false, backups: [], run: null, left_today: 0 }

/** Backups of the whole installation, where the operator lets users see and start them. None leaves the machine this way. */
export const backupRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (
  app,
  { db, clock, backups: settings },
  done,
) => {
  async function overview(companyId: number): Promise<Backups> {
    if (settings === undefined) return NONE
    const [folders, run, count] = await Promise.all([
      listBackups(settings.folder),
      findLastRun(db, companyId),
      countRunsSince(db, companyId, daysBefore(nowInSeconds(clock), 1)),
    ])
    return {
      available: true,
      backups: folders.map(presentBackup),
      run: run === undefined ? null : presentRun(run),
      left_today: Math.max(0, settings.perDay - count),
    }
  }

  app.get(
    '/backups.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getBackups',
        summary: 'Read which backups there are',
        description:
          'Of the whole installation, for users of the company that the operator has named. They hold all companies, and cannot be downloaded.',
        response: { 200: One },
      },
    },
    async ({ session }) => ({ backups: mayBackUp(session, settings) ? await overview(session.companyId) : NONE }),
  )

  app.post(
    '/backups.json',
    {
      config,
      schema: {
        tags,
        operationId: 'startBackup',
        summary: 'Start a backup',
        description: 'One at a time. The worker writes it to the folder of the operator, and checks it.',
        response: { 201: One },
      },
    },
    async (request, reply) => {
      if (settings === undefined || !mayBackUp(request.session, settings)) throw backupsNotOffered()
      await app.change((tx) => startBackup(tx, authorOf(request), settings, nowInSeconds(clock)))
      return reply.code(201).send({ backups: await overview(request.session.companyId) })
    },
  )

  done()
}
