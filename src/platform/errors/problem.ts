/** Which attributes are at fault, by path (`locales[0].title`), and what is wrong with each, for programs and in words. */
export type FieldErrors = Record<string, { reason: string; message: string }[]>

/** The status of each `code`, unless a declaration names a rarer one. */
const STATUS = {
  malformed: 400,
  unauthorized: 401,
  insufficient_scope: 403,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  validation_failed: 422,
  rate_limited: 429,
  internal: 500,
  unavailable: 503,
} as const

/** One way in which a request is refused, as docs/errors.md lists it. `reason` never changes: apps compare it. */
export type Refusal = {
  area: string
  reason: string
  code: keyof typeof STATUS
  status: number
  /** When it happens, and what the reader can do about it: sentences for app developers. */
  when: string
  remedy: string
}

/** Bounds of an answer: of the faults in it, and of sentences and paths that quote the input. */
const FAULTS_MAX = 32
const MESSAGE_MAX = 1000
const PATH_MAX = 200

function cut(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`
}

const declared = new Map<string, Refusal>()

/** Every refusal that the loaded modules declare. */
export function allRefusals(): ReadonlyMap<string, Refusal> {
  return declared
}

function declare(refusal: Refusal): Refusal {
  if (declared.has(refusal.reason)) throw new Error(`the reason ${refusal.reason} is declared twice`)
  declared.set(refusal.reason, refusal)
  return refusal
}

/** A failure that a caller can understand and act on. Anything else that is thrown is a defect. */
export class Problem extends Error {
  readonly reason: string
  readonly code: string
  readonly status: number
  readonly fields: FieldErrors | undefined
  readonly headers: Record<string, string>
  /** The document as it is now, as JSON, if the caller has an older one. */
  readonly current: string | undefined

  constructor(
    refusal: Refusal,
    message: string,
    options: {
      fields?: FieldErrors
      headers?: Record<string, string> | undefined
      current?: string | undefined
      cause?: unknown
    } = {},
  ) {
    // Nobody reads where a refusal comes from, as its reason says that. Collecting it is most of what it costs to refuse.
    const { stackTraceLimit } = Error
    Error.stackTraceLimit = 0
    super(cut(message, MESSAGE_MAX), { cause: options.cause })
    Error.stackTraceLimit = stackTraceLimit
    this.name = 'Problem'
    this.reason = refusal.reason
    this.code = refusal.code
    this.status = refusal.status
    this.fields = options.fields
    this.headers = options.headers ?? {}
    this.current = options.current
  }
}

/** Something that is wrong with a field: the message follows the name of the field in a sentence. */
export type Fault = { refusal: Refusal; message: string }

type Explanation = Pick<Refusal, 'when' | 'remedy'>
type Message<Details> = string | ((details: Details) => string)
type ProblemDeclaration<Details> = Explanation & {
  code: Refusal['code']
  status?: number
  /** For a refusal whose status comes from a library. */
  statusOf?: (details: Details) => number
  /** A sentence that people read. */
  message: Message<Details>
  headers?: (details: Details) => Record<string, string>
  current?: (details: Details) => string
}
type FaultDeclaration<Details> = Explanation & { message: Message<Details> }

function inWords<Details>(message: Message<Details>, details: Details): string {
  return typeof message === 'string' ? message : message(details)
}

/** The functions with which an errors.ts declares its refusals. `area` is their heading in docs/errors.md. */
export function problemsOf(area: string) {
  return {
    /** Declares an expected failure once, so that it is thrown by name. */
    defineProblem<Details = void>(
      reason: string,
      { code, status = STATUS[code], statusOf, message, headers, current, when, remedy }: ProblemDeclaration<Details>,
    ): (details: Details, cause?: unknown) => Problem {
      const refusal = declare({ area, reason, code, status, when, remedy })
      return (details, cause) =>
        new Problem(
          statusOf === undefined ? refusal : { ...refusal, status: statusOf(details) },
          inWords(message, details),
          {
            headers: headers?.(details),
            current: current?.(details),
            cause,
          },
        )
    },

    /** Declares what can be wrong with a field, so that rules report it by name. */
    defineFault<Details = void>(
      reason: string,
      { message, when, remedy }: FaultDeclaration<Details>,
    ): (details: Details) => Fault {
      const code = 'validation_failed'
      const refusal = declare({ area, reason, code, status: STATUS[code], when, remedy })
      return (details) => ({ refusal, message: inWords(message, details) })
    },
  }
}

/** Turns an attribute's path into words: `price_license_binding[0].hd` becomes `Price license binding hd`. */
function words(path: string): string {
  const text = path
    .replace(/\[\d+\]/g, '')
    .replace(/[._]+/g, ' ')
    .trim()
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const told = ({ refusal, message }: Fault) => ({ reason: refusal.reason, message: cut(message, MESSAGE_MAX) })

/** Gathers what is wrong with an input, so that a caller learns all of it at once, or the first few dozen faults. */
export class FieldReport {
  readonly #faults: Record<string, Fault[]> = Object.create(null)
  readonly #whole: FieldReport | undefined
  readonly #prefix: string
  #left = FAULTS_MAX

  constructor(whole?: FieldReport, prefix = '') {
    this.#whole = whole
    this.#prefix = prefix
  }

  /** The same report for a part of the input, whose paths begin with `prefix`. */
  within(prefix: string): FieldReport {
    return prefix === '' ? this : new FieldReport(this, prefix)
  }

  /** Further faults are not reported. */
  get isFull(): boolean {
    return this.#whole?.isFull ?? this.#left === 0
  }

  add(path: string, fault: Fault): void {
    if (this.#whole !== undefined) {
      this.#whole.add(`${this.#prefix}${path}`, fault)
      return
    }
    if (this.isFull) return
    this.#left -= 1
    const name = cut(path, PATH_MAX)
    const faults = this.#faults[name]
    if (faults === undefined) this.#faults[name] = [fault]
    else faults.push(fault)
  }

  /** 422 that names every attribute at fault; the sentence and the reason describe the first one. */
  asProblem(): Problem | undefined {
    if (this.#whole !== undefined) return this.#whole.asProblem()
    const entries = Object.entries(this.#faults)
    const [path = '', [fault] = []] = entries[0] ?? []
    if (fault === undefined) return undefined
    const fields = Object.fromEntries(entries.map(([name, faults]) => [name, faults.map(told)]))
    return new Problem(fault.refusal, `${words(path)} ${fault.message}.`.trim(), { fields })
  }

  throwIfAny(): void {
    const problem = this.asProblem()
    if (problem !== undefined) throw problem
  }
}

/** 422 for one attribute at fault. */
export function validationFailed(path: string, fault: Fault): Problem {
  const fields = { [cut(path, PATH_MAX)]: [told(fault)] }
  return new Problem(fault.refusal, `${words(path)} ${fault.message}.`, { fields })
}
