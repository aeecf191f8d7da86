import type { FastifyInstance } from 'fastify'
import { promptRoutes } from '#apps/oauth/prompt/routes.ts'
import { invitationRoutes } from '#identity/sign-in/invitation/routes.ts'
import { resetRoutes } from '#identity/sign-in/reset/routes.ts'
import { signInRoutes } from '#identity/sign-in/routes.ts'
import { selfServiceRoutes } from '#people/customers/self-service/routes.ts'
import { playerPromptRoutes } from '#people/player-tokens/routes.ts'
import type { Clock } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { namedPlugin } from '#platform/http/named-plugin.ts'
import type { Vault } from '#platform/identity/vault.ts'
import type { PageSite } from '#platform/pages/answers.ts'
import { addPrivatePages } from '#platform/pages/site.ts'
import { demoSignInRoutes } from '#program/demo/sign-in.routes.ts'
import { firstRunRoutes } from '#program/first-run/routes.ts'
import { sessionFinder } from './sessions.ts'

/** These pages ask for passwords: they run no script, load nothing from elsewhere, and cannot be framed. */
export const accountSite: PageSite = {
  policy: {
    scripts: [],
    styles: ["'self'"],
    images: ["'self'", 'data:'],
    fonts: ["'self'"],
    formActions: ["'self'"],
    frameAncestors: [],
  },
  home: { href: '/admin', text: 'account.problem.home' },
}

/** Where the pages of the own account are now: bookmarks and mails name their old addresses. */
const MOVED = {
  '/account': '/admin/settings',
  '/account/second-factor': '/admin/settings/security',
  '/account/apps': '/admin/apps',
  '/account/activity': '/admin/settings/activity',
}

/** Registers sign-in with its pages, the OAuth prompt, and the pages for customers. */
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
  const options = { db: reads, now: clock.of, clock, vault }
  for (const routes of [signInRoutes, resetRoutes, invitationRoutes, firstRunRoutes, demoSignInRoutes])
    await app.register(namedPlugin(routes), options)
  for (const routes of [promptRoutes, playerPromptRoutes, selfServiceRoutes])
    await app.register(namedPlugin(routes), options)
  for (const [from, to] of Object.entries(MOVED))
    app.get(from, { config: { public: true }, schema: { hide: true } }, async (_request, reply) =>
      reply.redirect(to, 308),
    )
}
