import { AsyncLocalStorage } from 'node:async_hooks'

/** What operators see of a piece of work. It names no person and has no value of a statement or a body. */
export type Attributes = Readonly<Record<string, string | number>>

export type SpanOptions = {
  kind: 'server' | 'client' | 'consumer' | 'internal'
  /** A W3C `traceparent`, of a caller or from a row. Absent: the span belongs to the work that it is begun in. */
  parent?: string | null | undefined
  attributes?: Attributes
}

/** A piece of work that has begun. */
export type Span = {
  readonly traceId: string
  readonly spanId: string
  /** The W3C `traceparent` by which others name it. */
  readonly traceparent: string
  set(attributes: Attributes): void
  /** The work has failed. A message may name a person, so that only the kind of the error is noted. */
  fail(error: unknown): void
  end(): void
}

/** Begins spans; see opentelemetry.ts. */
export type Tracer = { start(name: string, options: SpanOptions, within: Span | undefined): Span }

const current = new AsyncLocalStorage<Span>()
let tracer: Tracer | undefined

/** Every process has one tracer or, as long as no setting asks for traces, none: then nothing below costs anything. */
export function setTracer(one: Tracer | undefined): void {
  tracer = one
}

export function isTracing(): boolean {
  return tracer !== undefined
}

/** The span that the caller works in. */
export function currentSpan(): Span | undefined {
  return tracer === undefined ? undefined : current.getStore()
}

/** Begins a span, which the caller has to end; undefined: nobody wants traces. */
export function startSpan(name: string, options: SpanOptions): Span | undefined {
  return tracer?.start(name, options, current.getStore())
}

/** Does work in a span: what it begins belongs to it. */
export function inside<Result>(span: Span, work: () => Result): Result {
  return current.run(span, work)
}

/** Does work in a span of its own, which ends with it. */
export async function traced<Result>(
  name: string,
  options: SpanOptions,
  work: (span: Span | undefined) => Promise<Result>,
): Promise<Result> {
  const span = startSpan(name, options)
  if (span === undefined) return work(undefined)
  try {
    return await inside(span, () => work(span))
  } catch (error) {
    span.fail(error)
    throw error
  } finally {
    span.end()
  }
}

/** What a line of the log says of the span that it was written in. */
export function logFields(): { trace_id?: string; span_id?: string } {
  const span = currentSpan()
  return span === undefined ? {} : { trace_id: span.traceId, span_id: span.spanId }
}
