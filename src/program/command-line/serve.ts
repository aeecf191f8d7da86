import type { Command } from 'commander'
import type { Config } from '#platform/settings/config.ts'
import { whenInterrupted } from '#program/boot/interrupt.ts'
import type { Service } from '#program/boot/service.ts'
import { VERSION } from '#program/version.ts'
import { command, type Terminal } from './program.ts'

export function addServe(program: Command, terminal: Terminal): void {
  command(program, 'serve', 'Run the HTTP service, with the background worker.')
    .option('--no-worker', 'leave the background work to `licet worker` processes')
    .action(async (options: { worker: boolean; json?: boolean }) => {
      const config = terminal.config()
      const { startService } = await import('#program/boot/service.ts')
      const service = await startService(config, { http: true, worker: options.worker })
      if (options.json === true)
        terminal.out(
          JSON.stringify({
            address: service.address,
            reference: `${service.address}/docs`,
            ...(service.firstRun === undefined ? {} : { first_run: service.firstRun }),
            ...(service.shop === undefined
              ? {}
              : { company_id: service.shop.companyId, shop: service.shop.address ?? null }),
            ...service.demo,
          }),
        )
      else terminal.out(greeting(service, config))
      await untilStopped(service)
    })

  command(program, 'worker', 'Run the background worker alone.').action(async (options: { json?: boolean }) => {
    const config = terminal.config()
    const { startService } = await import('#program/boot/service.ts')
    const service = await startService(config, { http: false, worker: true })
    const { probes } = service
    const watched = probes === undefined ? [] : [`It answers ${probes}/health, /ready and /metrics.`]
    const inWords = ['The worker is running. Ctrl-C stops it.', ...watched, ...allowedRequests(config)].join('\n')
    terminal.out(options.json === true ? JSON.stringify({ status: 'running', address: probes }) : inWords)
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

/** A fact and its name; further lines stand below the fact. */
type Fact = [name: string, ...lines: string[]]

function inColumns(facts: readonly Fact[]): string[] {
  const width = Math.max(...facts.map(([name]) => name.length)) + 4
  return facts.flatMap(([name, ...lines]) =>
    lines.map((line, index) => `  ${(index === 0 ? name : '').padEnd(width)}${line}`),
  )
}

/** The facts that a person needs after a start, in the order in which a newcomer needs them. */
export function greeting(
  { address = '', demo, firstRun, shop }: Omit<Service, 'log' | 'probes' | 'stop' | 'giveUp'>,
  config: Config,
): string {
  const kept: Fact =
    config.databaseUrl === undefined ? ['Data', config.dataFolder] : ['Database', new URL(config.databaseUrl).host]
  const facts: Fact[] = [
    ['Address', address],
    ['Reference', `${address}/docs`],
    ...(shop?.address === undefined ? [] : [['Shop', `${shop.address}  company ${shop.companyId}`] satisfies Fact]),
    ...(demo?.admin === undefined
      ? []
      : [['Admin', demo.admin, 'one press signs you in; the link works once'] satisfies Fact]),
    ...(firstRun === undefined ? [signIn(address, demo)] : []),
    ...(demo === undefined
      ? []
      : [
          [
            'Access token',
            demo.access_token,
            `all scopes of the demo shop, for a day; every start gives a new one`,
          ] satisfies Fact,
        ]),
    ...(config.mail === undefined
      ? [['Mails', 'are kept, because no mail server is set: npx licet mails'] satisfies Fact]
      : []),
    kept,
  ]
  const next =
    firstRun !== undefined
      ? ['', '  Set up your shop in a browser; the link works once:', '', `  ${firstRun}`]
      : demo !== undefined
        ? [
            '',
            '  Try it:',
            '',
            `  curl -H 'Authorization: Bearer ${demo.access_token}' '${address}/api/products.json?limit=2'`,
          ]
        : []
  return [
    '',
    `Licet ${VERSION} is running. Ctrl-C stops it.`,
    '',
    ...inColumns(facts),
    ...allowedRequests(config),
    ...next,
    '',
  ].join('\n')
}

function signIn(address: string, demo: Service['demo']): Fact {
  const page = `${address}/sign-in`
  return demo === undefined ? ['Sign-in', page] : ['Sign-in', page, `${demo.user_email}  password ${demo.password}`]
}
