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
import { whenInterrupted } from './interrupt.ts'
import { command, type Terminal } from './program.ts'
import { StartError } from './start-error.ts'
import { closeStore, openMigratedStore, type Store } from './store.ts'

export function addServe(program: Command, terminal: Terminal): void {
  command(program, 'serve', 'Run the HTTP service, with the background worker.')
    .option('--no-worker', 'leave the background work to `licet worker` processes')
    .action(async (options: { worker: boolean; json?: boolean }) => {
      const config = terminal.config()
      const service = await startService(config, { http: true, worker: options.worker })
      if (options.json === true)
        terminal.out(
          JSON.stringify({ address: service.address, reference: `${service.address}/docs`, ...service.demo }),
        )
      else terminal.out(greeting(service.address ?? '', config, service.demo))
      await untilStopped(service)
    })

  command(program, 'worker', 'Run the background worker alone.').action(async (options: { json?: boolean }) => {
    const service = await startService(terminal.config(), { http: false, worker: true })
    terminal.out(options.json === true ? '{"status":"running"}' : 'The worker is running. Ctrl-C stops it.')
    await untilStopped(service)
  })
}

type Service = {
  address: string | undefined
  demo: DemoAccess | undefined
  log: Log
  stop(): Promise<void>
  giveUp(): Promise<never>
}

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
    return { address, demo, log, stop: () => stopAll(running, log), giveUp: () => giveUp(store, log) }
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
  // Fastify's own line about its address would stand before the greeting that says it better.
  const { level } = app.log
  app.log.level = 'silent'
  try {
    await app.listen({ port: config.port, host: config.host })
  } catch (error) {
    const code = (error as { code?: string }).code
    if (code === 'EADDRINUSE')
      throw new StartError(`Port ${config.port} on ${config.host} is taken: set PORT to another one, or to 0 for any.`)
    if (code === 'EACCES')
      throw new StartError(`Port ${config.port} may not be used by this account: set PORT to one above 1023.`)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN')
      throw new StartError(`This machine has no address ${config.host}: set HOST to one that it has.`)
    throw error
  } finally {
    app.log.level = level
  }
  const { address, port } = app.server.address() as AddressInfo
  const host =
    address === '0.0.0.0' || address === '::' ? '127.0.0.1' : address.includes(':') ? `[${address}]` : address
  app.baseUrl = config.baseUrl ?? `http://${host}:${port}`
  return app.baseUrl
}

/** Lets requests and jobs under way finish, then closes what they stood on. */
async function stopAll({ config, store, loop, outbound, app }: Running, log: Log): Promise<void> {
  const patience = setTimeout(() => void giveUp(store, log), config.stopSeconds * 1000)
  await app?.close()
  await loop?.stop()
  await outbound.close()
  await closeStore(store)
  clearTimeout(patience)
}

/** Ends at once; only the embedded server is still stopped, so that nothing stays behind. */
async function giveUp(store: Store, log: Log): Promise<never> {
  log.error('work was still under way when the time to stop was up')
  await store.server?.stop()
  process.exit(1)
}

/** Some ways to start a program (npm is one) pass on a signal that the program got from the terminal already. */
const SAME_SIGNAL_MS = 1000

/** Ctrl-C or a service manager's signal ends the service, with 0; a second one does not wait. */
function untilStopped(service: Service): Promise<void> {
  return new Promise((resolve, reject) => {
    let asked: number | undefined
    whenInterrupted(async (signal) => {
      if (asked !== undefined) {
        if (Date.now() - asked > SAME_SIGNAL_MS) await service.giveUp()
        return
      }
      asked = Date.now()
      service.log.info({ signal }, 'stopping')
      await service.stop().then(resolve, reject)
    }, 'stay')
  })
}

function greeting(address: string, config: Config, demo: DemoAccess | undefined): string {
  const kept = config.databaseUrl === undefined ? config.dataFolder : new URL(config.databaseUrl).host
  const lines = [
    '',
    `Licet ${VERSION} is running. Ctrl-C stops it.`,
    '',
    `  Address         ${address}`,
    `  Reference       ${address}/docs`,
    `  ${config.databaseUrl === undefined ? 'Data    ' : 'Database'}        ${kept}`,
  ]
  if (demo === undefined)
    return [...lines, '', '  Make a company with: npm run --silent licet -- company create --help', ''].join('\n')
  return [
    ...lines,
    `  Admin sign-in   ${demo.user_email}  password ${demo.password}`,
    `  Access token    ${demo.access_token}`,
    '                  all scopes of the demo shop, for a day; every start gives a new one',
    '',
    '  Try it:',
    '',
    `  curl -H 'Authorization: Bearer ${demo.access_token}' '${address}/api/products.json?limit=2'`,
    '',
  ].join('\n')
}
