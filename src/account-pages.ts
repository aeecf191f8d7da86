import type { FastifyInstance } from 'fastify'
import { activityRoutes } from '#audit/activity/routes.ts'
import { selfServiceRoutes } from '#customers/self-service/routes.ts'
import { permissionRoutes } from '#oauth/permissions/routes.ts'
import { promptRoutes } from '#oauth/prompt/routes.ts'
import type { PageSite } from '#pages/answers.ts'
import { addPrivatePages } from '#pages/site.ts'
import { type Clock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { namedPlugin } from '#platform/http/named-plugin.ts'
import type { Vault } from '#platform/vault.ts'
import { playerPromptRoutes } from '#player-tokens/routes.ts'
import { accountRoutes } from '#sign-in/account/routes.ts'
import { firstRunRoutes } from '#sign-in/first-run/routes.ts'
import { invitationRoutes } from '#sign-in/invitation/routes.ts'
import { resetRoutes } from '#sign-in/reset/routes.ts'
import { signInRoutes } from '#sign-in/routes.ts'
import { sessionFinder } from './sessions.ts'

/** These pages ask for passwords: they run no script, load nothing from elsewhere, and cannot be framed. */
export const accountSite: PageSite = {
  policy: {
    scripts: [],
    styles: ["'self'"],
    images: ["'self'", 'data:'],
    formActions: ["'self'"],
    frameAncestors: [],
  },
  home: { href: '/account', text: 'Go to your account' },
}

const menu = {
  label: 'Account',
  home: '/account',
  links: [
    { href: '/account', text: 'Account' },
    { href: '/account/second-factor', text: 'Two-step sign-in' },
    { href: '/account/apps', text: 'Apps' },
    { href: '/account/activity', text: 'Activity' },
  ],
}

/** Registers sign-in with its pages, the OAuth prompt, the account, and the pages for customers. */
export async function addAccountPages(
  app: FastifyInstance,
  { db, reads, clock, vault }: { db: Db; reads: Db; clock: Clock; vault: Vault },
): Promise<void> {
  await addPrivatePages(app, {
    ...accountSite,
    strictTransport: true,
    vault,
    signInPath: '/sign-in',
    findSession: sessionFinder({ db, reads, clock }),
  })
  const options = { db: reads, now: () => nowInSeconds(clock), vault, menu }
  for (const routes of [signInRoutes, resetRoutes, invitationRoutes, firstRunRoutes, accountRoutes])
    await app.register(namedPlugin(routes), options)
  for (const routes of [promptRoutes, playerPromptRoutes, permissionRoutes, activityRoutes, selfServiceRoutes])
    await app.register(namedPlugin(routes), options)
}
