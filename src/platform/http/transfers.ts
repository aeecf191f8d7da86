import type { ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'

/** How long a stop waits for transfers of large files. */
const GRACE_MS = 5000

declare module 'fastify' {
  interface FastifyInstance {
    /** Marks the answer to a request that may take hours. A stop cuts it off after a moment: its client resumes. */
    isTransfer(response: ServerResponse): void
  }
}

export function addTransfers(app: FastifyInstance): void {
  const underWay = new Set<ServerResponse>()
  app.decorate('isTransfer', (response: ServerResponse) => {
    underWay.add(response)
    response.once('close', () => underWay.delete(response))
  })
  app.addHook('preClose', async () => {
    setTimeout(() => {
      for (const { socket } of underWay) socket?.destroy()
    }, GRACE_MS).unref()
  })
}
