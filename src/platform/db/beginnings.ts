import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { condition } from './expressions.ts'

/** The last character: what begins with a text is before the text with this one behind it. */
const LAST = '\u{10ffff}'

/**
 * Does a text begin with another one? For an index with `text_pattern_ops`, whose order is that of the bytes. `like` would
 * use the index only if the pattern were known when the statement is planned.
 */
export function beginsWith(text: RawBuilder<string>, beginning: string): RawBuilder<SqlBool> {
  return condition`(${text} ~>=~ lower(${beginning}::text) and ${text} ~<~ (lower(${beginning}::text) || ${sql.lit(LAST)}))`
}
