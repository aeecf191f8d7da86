import type { AddressInfo } from 'node:net'
import type { Command } from 'commander'
import type { FastifyInstance } from 'fastify'
import { type DemoAccess, demoAccess } from '#demo/shop.ts'
import { systemClock } from '#platform/clock.ts'
import type { Config } from '#platform/config.ts'
import { createFiles } from '#platform/files.ts'
import type { Loop } from '#platform/jobs/loop.ts'
import { createLog, type Log } from '#platform/log.ts'
import { createMetrics } from '#platform/metrics.ts'
import { createOutbound } from '#platform/outbound.ts'
import { createApp } from '../app.ts'
import { VERSION } from '../version.ts'
import { createWorker } from '../worker.ts'
import { command, type Terminal } from './program.ts'
import { StartError } from './start-error.ts'
import { openMigratedStore, type Store } from './store.ts'

export function addServe(program: Command, terminal: Terminal): void {
  command(program, 'serve', 'Run the HTTP service, with the background worker.')
    .option('--no-worker', 'leave the background work to `licet worker` processes')
    .action(async (options: { worker: boolean; json?: boolean }) => {
      const service = await startService(terminal.config(), { http: true, worker: options.worker })
      if (options.json === true)
        terminal.out(
          JSON.stringify({ address: service.address, reference: `${service.address}/docs`, ...service.demo }),
        )
      else terminal.out(greeting(service.address ?? '', service.demo))
      await untilStopped(service)
    })

  command(program, 'worker', 'Run the background worker alone.').action(async (options: { json?: boolean }) => {
    const service = await startService(terminal.config(), { http: false, worker: true })
    terminal.out(options.json === true ? '{"status":"running"}' : 'The worker is running. Ctrl-C stops it.')
    await untilStopped(service)
  })
}

type Service = { address: string | undefined; demo: DemoAccess | undefined; log: Log; stop(): Promise<void> }

/** Starts what was asked for: the database first, the door last. */
async function startService(config: Config, parts: { http: boolean; worker: boolean }): Promise<Service> {
  const log = createLog(config.logLevel)
  const store = await openMigratedStore(config, (error) => log.warn({ err: error }, 'a database connection broke'))
  const metrics = createMetrics(store.pool)
  const files = createFiles(config.dataFolder)
  const outbound = createOutbound(config)
  const shared = { db: store.db, pool: store.pool, clock: systemClock, log, metrics, files, outbound }
  const loop = parts.worker ? createWorker(shared) : undefined
  const running: Running = { config, store, loop, outbound, app: undefined }
  try {
    if (parts.http) running.app = await createApp({ ...shared, config })
    const address = running.app === undefined ? undefined : await listen(running.app, config)
    const demo = config.demo && parts.http ? await demoAccess(store.db, config.dataFolder, systemClock) : undefined
    loop?.start()
    return { address, demo, log, stop: () => stopAll(running, log) }
  } catch (error) {
    await stopAll(running, log)
    throw error
  }
}

type Running = {
  config: Config
  store: Store
  loop: Loop | undefined
  outbound: { close(): Promise<void> }
  app: FastifyInstance | undefined
}

async function listen(app: FastifyInstance, config: Config): Promise<string> {
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${config.port} on ${config.host} is taken: set PORT to another one, or to 0 for any.`)
    if (code === 'EACCES')
      throw new StartError(`Port ${config.port} may not be used by this account: set PORT to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
      throw new StartError(`This machine has no address ${config.host}: set HOST to one that it has.`)
    throw error
  }
  const { address, port } = app.server.address() as AddressInfo
  const host =
    address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address
  app.baseUrl = config.baseUrl ?? `http://${host}:${port}`
  return app.baseUrl
}

/** Lets requests and jobs under way finish, then closes what they stood on. */
async function stopAll({ config, store, loop, outbound, app }: Running, log: Log): Promise<void> {
  const patience = setTimeout(() => {
    log.error('requests were still under way when the time to stop was up')
    process.exit(1)
  }, config.stopSeconds * 1000)
  await app?.close()
  await loop?.stop()
  await outbound.close()
  await store.close()
  // Also a server that was left behind by a killed process: whoever uses it last puts it away.
  await store.server?.stop()
  clearTimeout(patience)
}

/** Ctrl-C or a service manager's signal ends the service; a second one does not wait. */
function untilStopped(service: Service): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1)
        asked = true
        service.log.info({ signal }, 'stopping')
        service.stop().then(resolve, reject)
      })
    }
  })
}

function greeting(address: string, demo: DemoAccess | undefined): string {
  const lines = [
    `Licet ${VERSION} is running. Ctrl-C stops it.`,
    '',
    `  Address         ${address}`,
    `  Reference       ${address}/docs`,
  ]
  if (demo === undefined)
    return [...lines, '', '  Make a company with "npm run --silent licet -- company create --help".', ''].join('\n')
  return [
    ...lines,
    `  Admin sign-in   ${demo.user_email}  password ${demo.password}`,
    `  Access token    ${demo.access_token}`,
    '                  (all scopes, for a day; a new one at every start)',
    '',
    '  Try it:',
    '',
    `  curl -H 'Authorization: Bearer ${demo.access_token}' '${address}/api/products.json?limit=2'`,
    '',
  ].join('\n')
}
