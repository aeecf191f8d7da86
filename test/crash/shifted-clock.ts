// Preloaded into a process of a proof. Its clock is ahead by as many milliseconds as the file says, also while it runs: nothing else
// in the process knows, as when somebody sets the clock of the machine. Timers go on as they do then.

import { readFileSync } from 'node:fs'

const LOOK_MS = 10
const { PROOF_CLOCK: file = '' } = process.env
const RealDate = Date
let aheadMs = 0

function look(): void {
  aheadMs = Number(readFileSync(file, 'utf8'))
}

look()
setInterval(look, LOOK_MS).unref()

const now = () => RealDate.now() + aheadMs
const Shifted: DateConstructor = new Proxy(RealDate, {
  construct: (target, args, newTarget) =>
    Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget === Shifted ? target : newTarget),
  apply: () => new Shifted().toString(),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
globalThis.Date = Shifted
