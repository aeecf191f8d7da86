import type { Command } from 'commander'
import { whenInterrupted } from '#boot/interrupt.ts'
import type { Service } from '#boot/service.ts'
import type { Config } from '#platform/config.ts'
import { VERSION } from '../version.ts'
import { command, type Terminal } from './program.ts'

export function addServe(program: Command, terminal: Terminal): void {
  command(program, 'serve', 'Run the HTTP service, with the background worker.')
    .option('--no-worker', 'leave the background work to `licet worker` processes')
    .action(async (options: { worker: boolean; json?: boolean }) => {
      const config = terminal.config()
      const { startService } = await import('#boot/service.ts')
      const service = await startService(config, { http: true, worker: options.worker })
      if (options.json === true)
        terminal.out(
          JSON.stringify({
            address: service.address,
            reference: `${service.address}/docs`,
            ...(service.firstRun === undefined ? {} : { first_run: service.firstRun }),
            ...service.demo,
          }),
        )
      else terminal.out(greeting(service, config))
      await untilStopped(service)
    })

  command(program, 'worker', 'Run the background worker alone.').action(async (options: { json?: boolean }) => {
    const config = terminal.config()
    const { startService } = await import('#boot/service.ts')
    const service = await startService(config, { http: false, worker: true })
    const inWords = ['The worker is running. Ctrl-C stops it.', ...allowedRequests(config)].join('\n')
    terminal.out(options.json === true ? '{"status":"running"}' : inWords)
    await untilStopped(service)
  })
}

/** Some launchers (npm is one) forward a signal that the program already got from the terminal. */
const SAME_SIGNAL_MS = 1000

/** Ctrl-C or a service manager's signal ends the service, with 0; a second one ends it at once. */
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

/** Requests beyond the open internet are a risk that the operator should see. */
function allowedRequests({ allowed: { loopback, networks } }: Config): string[] {
  const lines = []
  if (loopback) lines.push('Requests to loopback addresses are allowed (LICET_ALLOW_LOOPBACK).')
  if (networks.length > 0) lines.push(`Requests to ${networks.join(', ')} are allowed (LICET_ALLOW_NETWORKS).`)
  return lines.length === 0 ? [] : ['', ...lines.map((line) => `  ${line}`)]
}

function greeting({ address = '', demo, firstRun }: Service, config: Config): string {
  const kept = config.databaseUrl === undefined ? config.dataFolder : new URL(config.databaseUrl).host
  const lines = [
    '',
    `Licet ${VERSION} is running. Ctrl-C stops it.`,
    '',
    `  Address         ${address}`,
    `  Reference       ${address}/docs`,
    `  ${config.databaseUrl === undefined ? 'Data    ' : 'Database'}        ${kept}`,
    ...allowedRequests(config),
  ]
  if (firstRun !== undefined)
    return [...lines, '', '  Set up your shop in a browser; the link works once:', '', `  ${firstRun}`, ''].join('\n')
  lines.push(`  Sign-in         ${address}/sign-in`)
  if (demo === undefined) return [...lines, ''].join('\n')
  return [
    ...lines,
    `                  ${demo.user_email}  password ${demo.password}`,
    `  Access token    ${demo.access_token}`,
    '                  all scopes of the demo shop, for a day; every start gives a new one',
    '',
    '  Try it:',
    '',
    `  curl -H 'Authorization: Bearer ${demo.access_token}' '${address}/api/products.json?limit=2'`,
    '',
  ].join('\n')
}
