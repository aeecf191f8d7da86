import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { beginsWith, condition } from '#platform/db/expressions.ts'
import type { Value } from '#platform/db/prepared.ts'
import { readTime } from '#platform/wire/times.ts'
import { keysOf } from '#platform/wire/typed-entries.ts'
import type { PersonFilters } from './schema.ts'

type Condition = RawBuilder<SqlBool>

/** The conditions of a statement, by the names of the values that they need. */
export type Conditions<Names extends string> = { readonly [Name in Names]: (value: Value) => Condition }

/** The values of those conditions that a list or count asks for. */
export type GivenValues<Names extends string> = { readonly [Name in Names]?: Value | undefined }

/** Each statement reads one table, so columns need no table in front of them. */
export const PERSON = {
  since_id: (id: Value) => condition`id > ${id}::bigint`,
  email: (email: Value) => condition`lower(email) = lower(${email}::text)`,
  beginning: (text: Value) => beginsWith(sql<string>`lower(email)`, sql<string>`${text}`),
  customer_token: (token: Value) => condition`customer_token = upper(${token}::text)`,
  created_at_min: (time: Value) => condition`created_at >= ${time}::timestamptz`,
  created_at_max: (time: Value) => condition`created_at <= ${time}::timestamptz`,
  updated_at_min: (time: Value) => condition`updated_at >= ${time}::timestamptz`,
  updated_at_max: (time: Value) => condition`updated_at <= ${time}::timestamptz`,
} satisfies Conditions<string>

/** No stored text has a NUL character, and PostgreSQL refuses one, so it is replaced by a character that none has either. */
const storable = (text: string | undefined) => text?.replaceAll('\0', '\u{10ffff}')

export function readPersonFilters(filters: PersonFilters): GivenValues<keyof typeof PERSON> {
  return {
    since_id: filters.since_id,
    email: storable(filters.email),
    beginning: storable(filters.q?.trim() || undefined),
    customer_token: storable(filters.customer_token),
    created_at_min: readTime(filters.created_at_min),
    created_at_max: readTime(filters.created_at_max),
    updated_at_min: readTime(filters.updated_at_min),
    updated_at_max: readTime(filters.updated_at_max),
  }
}

/** The conditions for the values that are given. */
export function conditionsFor<Names extends string>(
  conditions: Conditions<Names>,
  given: GivenValues<Names>,
): Condition[] {
  return keysOf(conditions).flatMap((name) => {
    const value = given[name]
    return value === undefined ? [] : [conditions[name](value)]
  })
}
