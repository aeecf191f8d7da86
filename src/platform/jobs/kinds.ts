import type { Lane } from './lanes.ts'

/**
 * A kind of job: its name in the table, its lane, and the types of its data and its company, which exist for the
 * compiler only. Each resource defines the kinds that it needs.
 */
export type JobKind<Data, Company extends number | null = number> = {
  readonly name: string
  readonly lane: Lane
  readonly wakes: boolean
  readonly types?: { readonly data: Data; readonly company: Company }
}

/** Any kind, where its types don't matter. */
export type AnyKind = JobKind<unknown, number | null>

/** A job to be enqueued. */
export type NewJob<Data, Company extends number | null> = {
  kind: JobKind<Data, Company>
  companyId: NoInfer<Company>
  data: NoInfer<Data>
}

/** A job that was claimed. */
export type Job<Data = unknown, Company extends number | null = number | null> = {
  id: number
  kind: string
  companyId: Company
  data: Data
  /** How often it was claimed, this time included. */
  attempts: number
  /** The trace that it goes on with, as a W3C `traceparent`; absent where nobody wants traces. */
  traceParent?: string | null
}

/**
 * Defines a kind of job. One with `wakes: false` waits for the next poll, up to a second, instead of waking a worker:
 * PostgreSQL lets transactions that send a notification commit one after the other, which slows a busy shop down.
 */
export function defineJob<Data, Company extends number | null = number>(
  name: string,
  { lane, wakes = true }: { lane: Lane; wakes?: boolean },
): JobKind<Data, Company> {
  return { name, lane, wakes }
}
