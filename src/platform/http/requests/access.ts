import type { FastifyInstance, RouteOptions } from 'fastify'
import type { Permission } from '../../identity/permission.ts'

/**
 * Who may call a route. Below `/api`, apps may whose token has one of the scopes; below `/admin/api`, signed-in users may.
 * Both need all of the permissions: an app may do no more than the user who let it in.
 */
export type Access = {
  scope?: string | readonly string[]
  permissions?: readonly Permission[]
  /** About the own sign-in, which is for everybody who has one: not even the permissions are needed that all others are. */
  own?: true
  /** Also open to a user who has still to set up the second factor that is required: the route says for what. */
  beforeSecondFactor?: true
}

declare module 'fastify' {
  interface FastifyContextConfig {
    access?: Access
    /** Takes a token of any scope, so that no scope is served by it. */
    anyScope?: true
    /** Only for people who have signed in: the pages check that themselves. */
    session?: true
    /** Anyone may call. Each such route is listed in the route audit. */
    public?: true
  }
  interface FastifyInstance {
    /** The scopes that a route needs. A token with another one gives access to nothing yet. */
    servedScopes(): ReadonlySet<string>
  }
}

/** The scopes of which a caller needs one. */
export function scopesOf({ scope = [] }: Access): readonly string[] {
  return typeof scope === 'string' ? [scope] : scope
}

/** Makes every route say who may call it, and collects the scopes. `always` are permissions that all of them need. */
export function requireAccess(app: FastifyInstance, always: readonly Permission[]): void {
  const routes: RouteOptions[] = []
  app.addHook('onRoute', (route) => {
    routes.push(route)
    const { access, anyScope } = route.config ?? {}
    if (access === undefined || anyScope === true) return
    const permissions = access.own === true ? [] : [...new Set([...always, ...(access.permissions ?? [])])]
    route.config = { ...route.config, access: { ...access, permissions } }
  })
  app.decorate('servedScopes', () => {
    const needed = routes.filter(({ config }) => config?.anyScope !== true)
    return new Set(needed.flatMap(({ config }) => scopesOf(config?.access ?? {})))
  })
  app.addHook('onReady', async () => {
    for (const { config, method, url } of routes) {
      const { access, session, public: isPublic } = config ?? {}
      if (access === undefined && session !== true && isPublic !== true)
        throw new Error(`${method} ${url} says nothing of its access, asks for no session and is not public`)
    }
  })
}
