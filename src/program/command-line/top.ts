import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import { closeStore, openStore } from '#program/boot/store.ts'
import { command, type Terminal, wholeNumber } from './program.ts'
import { askService, readDatabase } from './top/read.ts'
import { type Requests, ratesBetween } from './top/requests.ts'
import { type Reading, screen } from './top/screen.ts'

const SECONDS_MAX = 3600

type Options = { every: number; times?: number; url?: string; json?: boolean }

export function addTop(program: Command, terminal: Terminal): void {
  command(program, 'top', 'Show what the service is busy with.')
    .option('--every <seconds>', 'how often to look', wholeNumber(1, SECONDS_MAX), 2)
    .option('--times <number>', 'end after so many looks; without it, Ctrl-C ends it', wholeNumber(1, 1_000_000))
    .option('--url <address>', 'the service whose requests to show, if not the one at HOST and PORT')
    .action(async (options: Options) => {
      const config = terminal.config()
      const { metricsToken, host, port } = config
      const address = options.url ?? `http://${host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host}:${port}`
      const store = await openStore(config)
      try {
        let before = await look(address, metricsToken)
        for (let times = 0; times < (options.times ?? Number.POSITIVE_INFINITY); times += 1) {
          await sleep(options.every * 1000)
          const after = await look(address, metricsToken)
          const at = new Date()
          const reading = { at, address, rates: rates(before, after), ...(await readDatabase(store.db, at)) }
          before = after
          show(terminal, reading, options.json === true)
        }
      } finally {
        await closeStore(store)
      }
    })
}

type Look = { requests: Requests | undefined; ms: number }

async function look(address: string, token: string | undefined): Promise<Look> {
  return { requests: await askService(address, token), ms: performance.now() }
}

function rates(before: Look, after: Look): Reading['rates'] {
  if (before.requests === undefined || after.requests === undefined) return undefined
  return ratesBetween(before.requests, after.requests, (after.ms - before.ms) / 1000)
}

/** In a terminal each reading takes the place of the one before; elsewhere they follow each other, with an empty line between. */
function show({ out, screen: terminalScreen }: Terminal, reading: Reading, asJson: boolean): void {
  if (asJson) out(JSON.stringify(reading))
  else if (terminalScreen === undefined) out(`${screen(reading)}\n`)
  else terminalScreen.draw(screen(reading, terminalScreen.columns()))
}
