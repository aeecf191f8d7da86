import type { Readiness } from './schema.ts'
import type { Step } from './state.ts'

const isDone = ({ missing }: Step) => missing.length === 0

export function presentReadiness(steps: readonly Step[]): Readiness {
  return {
    steps: steps.map((step) => ({
      key: step.key,
      done: isDone(step),
      missing: step.missing,
      subject: step.subject ?? null,
      subject_id: step.subjectId ?? null,
      ...(step.record === undefined ? {} : { record: step.record }),
    })),
    done: steps.filter(isDone).length,
    total: steps.length,
  }
}
