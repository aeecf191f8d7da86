import { setTimeout as sleep } from 'node:timers/promises'
import { type Command, InvalidArgumentError } from 'commander'
import { askToMove } from '#identity/test-clocks/commands.ts'
import { getTestClock } from '#identity/test-clocks/queries.ts'
import { timeAt } from '#identity/test-clocks/rules.ts'
import type { ClockState } from '#identity/test-clocks/state.ts'
import { machineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { inTransaction } from '#platform/db/transaction.ts'
import { COMMAND_LINE } from '#platform/identity/origin.ts'
import { parseTime, wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { StartError } from '#program/boot/start-error.ts'
import { withDatabase } from '#program/boot/store.ts'
import { companyId, getCompany } from '../administration.ts'
import { command, print, type Terminal } from '../program.ts'
import { group } from './terms.ts'

const LOOK_MS = 100
/** A worker takes a job within a second or two, and tells of it as it goes. */
const PATIENCE_MS = 15_000

type Options = { company: number; json?: boolean }

function time(text: string): string {
  if (parseTime(text) === undefined) throw new InvalidArgumentError('It must be a time such as 2031-06-01, in UTC.')
  return text
}

const nowOf = (clock: ClockState) => wireTime(timeAt(clock, nowInSeconds(machineClock)))

function shown(clock: ClockState) {
  const { moves_to, stopped_because } = clock
  return {
    now: nowOf(clock),
    status: moves_to === null ? 'running' : 'moving',
    moves_to: wireTimeOrNull(moves_to),
    stopped_because,
  }
}

function inWords(clock: ClockState): string {
  const { moves_to, stopped_because } = clock
  const reason = stopped_because === null ? '' : ` ${stopped_because}`
  const goal = moves_to === null ? '' : ` It is being moved to ${wireTime(moves_to)}.`
  return `It is ${nowOf(clock)} in the sandbox.${goal}${reason}`
}

/** Waits until the worker has moved it. */
async function follow(db: Db, company: number): Promise<ClockState> {
  let clock = await getTestClock(db, company)
  let end = performance.now() + PATIENCE_MS
  while (clock.moves_to !== null) {
    if (performance.now() > end)
      throw new StartError(
        `Nobody moves the clock: start the service, or "licet worker". It goes on from ${nowOf(clock)} by itself.`,
      )
    await sleep(LOOK_MS)
    const next = await getTestClock(db, company)
    if (next.stands_at?.getTime() !== clock.stands_at?.getTime()) end = performance.now() + PATIENCE_MS
    clock = next
  }
  return clock
}

export function addClock(program: Command, terminal: Terminal): void {
  const clock = group(program, 'clock', 'Show and move the clock of a sandbox.')
  const ofSandbox = (name: string, description: string) =>
    command(clock, name, description).requiredOption('--company <id>', 'the sandbox', companyId)

  async function move(options: Options, target: { advance?: string; at?: string }): Promise<void> {
    const moved = await withDatabase(terminal.config(), async (db) => {
      await getCompany(db, options.company)
      const author = { companyId: options.company, origin: COMMAND_LINE }
      await inTransaction(db, (tx) => askToMove(tx, author, target, nowInSeconds(machineClock)))
      return follow(db, options.company)
    })
    print(terminal, options.json, { test_clock: shown(moved) }, inWords(moved))
  }

  ofSandbox('show', 'Show what time it is in a sandbox.').action(async (options: Options) => {
    const found = await withDatabase(terminal.config(), async (db) => {
      await getCompany(db, options.company)
      return getTestClock(db, options.company)
    })
    print(terminal, options.json, { test_clock: shown(found) }, inWords(found))
  })
  ofSandbox('advance', 'Move the clock on. A worker does what becomes due on the way.')
    .argument('<duration>', 'how far, such as P1M, P2W or P1DT12H')
    .action((advance: string, options: Options) => move(options, { advance }))
  ofSandbox('to', 'Move the clock to a time. A worker does what becomes due on the way.')
    .argument('<time>', 'where to, such as 2031-06-01, in UTC', time)
    .action((at: string, options: Options) => move(options, { at }))
}
