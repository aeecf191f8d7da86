import { databaseMeasures } from '#platform/db/connections/measures.ts'
import { jobMeasures } from '#platform/jobs/measures.ts'
import type { Measures } from '#platform/log/measures.ts'
import { mailMeasures } from '#platform/mail/measures.ts'
import type { Resource } from '#platform/resource.ts'

/** What the service reads from its database for `/metrics`. */
export function measuresOf(resources: readonly Resource[]): Measures[] {
  return [databaseMeasures, jobMeasures, mailMeasures, ...resources.flatMap(({ measures = [] }) => measures)]
}
