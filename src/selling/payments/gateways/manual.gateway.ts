import type { Gateway } from './gateway.ts'

/** The customer gets a bill and pays it some other way. The owner says when the money has arrived. */
export const manualGateway: Gateway = {
  name: 'Manual',
  create: async () => ({ kind: 'reported', report: { kind: 'pending', reference: null } }),
  confirm: async () => ({ kind: 'pending', reference: null }),
  // Nobody but the owner can return the money.
  refund: async ({ token }) => ({ kind: 'done', externalId: token }),
  readWebhook: async () => undefined,
}
