import type { Range } from '#platform/files/files.ts'

export type Asked = { kind: 'whole' } | { kind: 'part'; range: Range } | { kind: 'unsatisfiable' }

export type RangeHeaders = { range?: string | undefined; 'if-range'?: string | string[] | undefined }

/**
 * The part of a file that a request asks for, by RFC 9110, section 14. A header that makes no sense is ignored, and so
 * is one that asks for several parts: the whole file is the answer to both.
 */
export function readRange(headers: RangeHeaders, size: number, etag: string, modified: Date): Asked {
  const { range, 'if-range': condition } = headers
  if (range === undefined || !isUnchanged(condition, etag, modified)) return { kind: 'whole' }
  const [, first = '', last = ''] = /^bytes=\s*(\d{0,15})-(\d{0,15})\s*$/i.exec(range) ?? []
  if (first === '' && last === '') return { kind: 'whole' }
  if (first === '') return lastBytes(Number(last), size)
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return { kind: 'whole' }
  return start >= size ? { kind: 'unsatisfiable' } : { kind: 'part', range: { start, end } }
}

function lastBytes(count: number, size: number): Asked {
  if (count === 0) return { kind: 'unsatisfiable' }
  return { kind: 'part', range: { start: Math.max(0, size - count), end: size - 1 } }
}

/** Does the client have the beginning of the same bytes? */
function isUnchanged(condition: string | string[] | undefined, etag: string, modified: Date): boolean {
  if (condition === undefined) return true
  return condition === etag || condition === modified.toUTCString()
}
