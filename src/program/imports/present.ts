import { wireTime, wireTimeOrNull } from '#platform/wire/times.ts'
import { fieldsOf, undoUntil, withReasons } from './rules.ts'
import type { ENCODINGS, Import } from './schema.ts'
import type { ImportState } from './state.ts'

/** An import as the API shows it. It is presented when it is read, because its progress changes all the time. */
export function presentImport(state: ImportState): Import {
  const { id, file_name, size, kind, exported_from, total, done, report, problem } = state
  const { defaults, fixes, left_out, matches } = state
  return {
    id,
    file_name,
    size,
    encoding: state.encoding as (typeof ENCODINGS)[number],
    kind,
    exported_from,
    state: state.state,
    columns: withReasons(state),
    fields: fieldsOf(kind),
    defaults,
    fixes,
    left_out,
    matches,
    total,
    done,
    report,
    problem,
    undo: state.undo,
    undo_until: wireTimeOrNull(undoUntil(state)),
    created_at: wireTime(state.created_at),
    updated_at: wireTime(state.updated_at),
    imported_at: wireTimeOrNull(state.imported_at),
  }
}
