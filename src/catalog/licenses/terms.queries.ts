import { sql } from 'kysely'
import { TERMS } from './terms.facts.ts'

/** The terms of the license that a statement calls `license`, as JSON. */
export const termsOfLicense = sql`json_build_object(${sql.join(
  TERMS.map((name) => sql`${sql.lit(name)}, license.${sql.ref(name)}`),
)})`
