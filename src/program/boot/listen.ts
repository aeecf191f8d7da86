import type { FastifyInstance } from 'fastify'
import { errorCode } from '#platform/errors/error-code.ts'
import { StartError } from './start-error.ts'

/** Where a server listens, and the setting that says on which port. */
type Place = { host: string; port: number; setting: 'PORT' | 'LICET_WORKER_PORT' }

/** Opens the port of a server, and returns the address at which this machine reaches it. */
export async function listen(app: FastifyInstance, { host, port, setting }: Place): Promise<string> {
  // Fastify's own line about its address would precede the greeting, which says it better.
  const { level } = app.log
  app.log.level = 'silent'
  try {
    await app.listen({ port, host })
  } catch (error) {
    const code = errorCode(error)
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${port} on ${host} is taken: set ${setting} to another one, or to 0 for any.`)
    if (code === 'EACCES')
      throw new StartError(`Port ${port} may not be used by this account: set ${setting} to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new StartError(`This machine has no address ${host}: set HOST to one that it has.`)
    throw error
  } finally {
    app.log.level = level
  }
  const bound = app.server.address()
  if (bound === null || typeof bound === 'string') throw new Error('the server has no port')
  const { address } = bound
  const reached =
    address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address
  return `http://${reached}:${bound.port}`
}
