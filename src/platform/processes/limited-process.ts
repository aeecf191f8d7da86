import { type ChildProcess, type ForkOptions, fork } from 'node:child_process'
import { createSemaphore } from './semaphore.ts'

/** A process of its own for work that may take too much memory or time; it takes one request at a time. */
export type LimitedProcess<Request, Answer> = {
  /** Sends a request, which is made when its turn has come, so that those that wait hold no memory. */
  ask(makeRequest: () => Promise<Request>): Promise<Answer>
}

/** The process has ended before it answered: its work took too much memory or time, or crashed it. */
export class ProcessEnded extends Error {
  readonly timedOut: boolean

  constructor(timedOut: boolean) {
    super(timedOut ? 'the process took too long' : 'the process ended before it answered')
    this.timedOut = timedOut
  }
}

export type LimitedProcessOptions = {
  /** A module that answers each message with one, as `answerRequests` does. */
  script: string
  /** How much memory may be reserved. Node itself reserves 600 MiB, of which it uses a tenth. */
  memoryMb: number
  timeoutMs: number
  /** Without requests for this long the process ends, because it costs memory. */
  idleMs: number
}

/** The answer of the process to one request. */
type Reply<Answer> = { kind: 'done'; answer: Answer } | { kind: 'failed'; message: string }

export function createLimitedProcess<Request extends object, Answer>(
  options: LimitedProcessOptions,
): LimitedProcess<Request, Answer> {
  const oneAtATime = createSemaphore(1)
  let child: ChildProcess | undefined
  let idle: NodeJS.Timeout | undefined

  function open(): ChildProcess {
    if (child?.connected) return child
    const started = start(options)
    const forget = () => {
      if (child === started) child = undefined
    }
    // Errors concern the request under way, which has a listener of its own. A process that could not start never exits, and its
    // channel stays open.
    started.on('error', () => {
      if (started.pid !== undefined) return
      forget()
      if (started.connected) started.disconnect()
    })
    started.once('exit', forget)
    child = started
    return started
  }

  /** While nothing is asked, the process keeps nobody from ending. */
  function rest(): void {
    child?.unref()
    child?.channel?.unref()
    idle = setTimeout(() => child?.connected && child.disconnect(), options.idleMs).unref()
  }

  return {
    ask: (makeRequest) =>
      oneAtATime(async () => {
        const request = await makeRequest()
        clearTimeout(idle)
        try {
          return await exchange<Answer>(open(), request, options.timeoutMs)
        } finally {
          rest()
        }
      }),
  }
}

/**
 * Some processes for the same work, so that a request that takes long does not delay the next. All but the first are started
 * when the others are busy. A request that finds `waitingMax` others waiting is refused.
 */
export function createLimitedProcesses<Request extends object, Answer>(
  count: number,
  options: LimitedProcessOptions,
  waitingMax?: number,
): LimitedProcess<Request, Answer> {
  const fewAtATime = createSemaphore(count, waitingMax)
  const resting: LimitedProcess<Request, Answer>[] = []
  return {
    ask: (makeRequest) =>
      fewAtATime(async () => {
        const one = resting.pop() ?? createLimitedProcess<Request, Answer>(options)
        try {
          return await one.ask(makeRequest)
        } finally {
          resting.push(one)
        }
      }),
  }
}

/**
 * Starts the process with a limit on the memory that it can reserve, and without the environment, which may hold
 * secrets. Only a shell can set the limit before Node starts; Windows has none.
 */
function start({ script, memoryMb }: LimitedProcessOptions): ChildProcess {
  const env = process.env.PATH === undefined ? {} : { PATH: process.env.PATH }
  const options: ForkOptions = { env, serialization: 'advanced', stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }
  if (process.platform === 'win32') return fork(script, { ...options, execArgv: [] })
  // A limit that is lower already stays, and Node starts with it.
  const limit = `ulimit -d ${memoryMb * 1024}; exec "$@"`
  return fork(script, { ...options, execPath: 'sh', execArgv: ['-c', limit, 'sh', process.execPath] })
}

function exchange<Answer>(child: ChildProcess, request: object, timeoutMs: number): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>()
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    child.kill('SIGKILL')
  }, timeoutMs)
  const onEnd = () => reject(new ProcessEnded(timedOut))
  const onReply = (reply: unknown) => {
    // The only place that trusts the message: it comes from answerRequests.
    const answered = reply as Reply<Answer>
    if (answered.kind === 'done') resolve(answered.answer)
    else reject(new Error(answered.message))
  }
  child.ref()
  child.channel?.ref()
  child.once('error', reject)
  child.once('exit', onEnd)
  child.once('message', onReply)
  // A process that has just ended cannot be written to; its exit says the same. One that could not start has no channel.
  if (child.connected) child.send(request, () => {})
  return promise.finally(() => {
    clearTimeout(timer)
    child.off('error', reject)
    child.off('exit', onEnd)
    child.off('message', onReply)
  })
}

/** The other end, for the script: does each request and sends its result or the message of its error. */
export function answerRequests<Request, Answer>(work: (request: Request) => Promise<Answer>): void {
  process.on('message', (request) => {
    work(request as Request)
      .then(
        (answer): Reply<Answer> => ({ kind: 'done', answer }),
        (error: unknown): Reply<Answer> => ({ kind: 'failed', message: error instanceof Error ? error.message : '' }),
      )
      .then((reply) => process.send?.(reply))
  })
  process.on('disconnect', () => process.exit())
  // A signal to stop goes to all processes of a terminal. The request under way is finished, and the parent disconnects.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {})
}
