import { constants } from 'node:os'

type Answer = { action: (signal: NodeJS.Signals) => Promise<unknown>; after: 'leave' | 'stay' }

let answer: Answer = { action: async () => {}, after: 'leave' }
let interrupted = false

/** True once a signal has interrupted the program. */
export function isInterrupted(): boolean {
  return interrupted
}

/** Sets the reaction to Ctrl-C or SIGTERM. `leave` then ends the program with 128 + signal, as shells expect. */
export function whenInterrupted(action: Answer['action'], after: Answer['after'] = 'leave'): void {
  answer = { action, after }
}

const WATCH_MS = 500

/**
 * Handles the signals instead of Node, which would end the program and leave its database server running. npm runs a
 * script in a shell that passes no signal on: a SIGTERM ends the shell alone. With `followsParent` the end of the parent
 * therefore counts as a SIGTERM, unless a signal has arrived already.
 */
export function listenForInterrupts({ followsParent = false }: { followsParent?: boolean } = {}): void {
  let isSignalled = false
  const handle = async (signal: NodeJS.Signals) => {
    isSignalled = true
    const { action, after } = answer
    interrupted ||= after === 'leave'
    await action(signal)
    if (after === 'leave') process.exit(128 + constants.signals[signal])
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void handle(signal))
  if (!followsParent) return
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent && !isSignalled) return
    clearInterval(watch)
    if (!isSignalled) void handle('SIGTERM')
  }, WATCH_MS).unref()
}
