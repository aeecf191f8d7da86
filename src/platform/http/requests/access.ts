import type { FastifyContextConfig } from 'fastify'

/** Who may call routes that serve both apps and signed-in users, and how they are called in the OpenAPI document. */
export type Access = { config: FastifyContextConfig; tags: string[]; operationId: (name: string) => string }

/** For apps whose token has the scope. */
export function withScope(scope: string | readonly string[], tag: string): Access {
  return { config: { scope }, tags: [tag], operationId: (name) => name }
}

/** For signed-in users who have the permissions. */
export function withPermissions(...permissions: string[]): Access {
  return { config: { permissions }, tags: ['Admin'], operationId: (name) => `${name}AsUser` }
}
