import { fieldNotStorable } from '../errors/faults.ts'
import type { FieldReport } from '../errors/problem.ts'

/** Reports every text that PostgreSQL cannot store: one with a NUL character or with half of a surrogate pair. */
export function reportUnstorable(value: unknown, report: FieldReport, path = ''): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) report.add(path, fieldNotStorable())
  } else if (Array.isArray(value)) {
    for (const [index, entry] of value.entries()) reportUnstorable(entry, report, `${path}[${index}]`)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, entry] of Object.entries(value))
      reportUnstorable(entry, report, path === '' ? name : `${path}.${name}`)
  }
}
