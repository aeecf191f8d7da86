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

/** Handles the signals instead of Node, which would end the program and leave its database server running. */
export function listenForInterrupts(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, async () => {
      const { action, after } = answer
      interrupted ||= after === 'leave'
      await action(signal)
      if (after === 'leave') process.exit(128 + constants.signals[signal])
    })
  }
}
