import { currentSpan, type Span, startSpan } from './trace.ts'

const NAMES_MAX = 2000
const names = new Map<string, { operation: string; name: string }>()

/** `SELECT orders`: what a statement begins with, and the first table in it. Its text has no values, which are sent beside it. */
export function nameOf(text: string): { operation: string; name: string } {
  const known = names.get(text)
  if (known !== undefined) return known
  const [operation = 'statement'] = /[a-z]+/i.exec(text) ?? []
  const [, table] =
    /\b(?:from|into|update|join)\s+"?([a-z_]+)/i.exec(text.replace(/\bfor (?:no key )?update\b/gi, '')) ?? []
  const upper = operation.toUpperCase()
  const named = { operation: upper, name: table === undefined ? upper : `${upper} ${table}` }
  if (names.size < NAMES_MAX) names.set(text, named)
  return named
}

type Send = (...args: unknown[]) => unknown

/** Sends a statement in a span of its own, if it belongs to work that is traced. Polls and chores do not. */
export function sendTraced(args: unknown[], send: Send): unknown {
  const [text] = args
  if (typeof text !== 'string' || currentSpan() === undefined) return send(...args)
  const { operation, name } = nameOf(text)
  const attributes = { 'db.system.name': 'postgresql', 'db.operation.name': operation, 'db.query.text': text }
  const span = startSpan(name, { kind: 'client', attributes })
  if (span === undefined) return send(...args)
  const callback = args.at(-1)
  if (typeof callback === 'function') return send(...args.slice(0, -1), ending(span, callback as Send))
  return endWith(span, send(...args))
}

function ending(span: Span, callback: Send): Send {
  return (error, ...rest) => {
    if (error != null) span.fail(error)
    span.end()
    return callback(error, ...rest)
  }
}

function endWith(span: Span, sent: unknown): unknown {
  if (!(sent instanceof Promise)) {
    span.end()
    return sent
  }
  // Whoever sent the statement gets its error.
  sent.then(
    () => span.end(),
    (error: unknown) => {
      span.fail(error)
      span.end()
    },
  )
  return sent
}
