import { type Entry, JSON_KINDS, type Kind, type Source } from './entries.ts'
import { UnreadableFile } from './unreadable.ts'

/** Reads a JSON file: an object of lists, in the field names of the API. */
export function openJson(text: string): Source {
  const lists = listsOf(parse(text))
  return {
    lists: new Map(JSON_KINDS.flatMap((kind) => (lists[kind] === undefined ? [] : [[kind, lists[kind].length]]))),
    read: (kind) => (lists[kind] ?? []).map((value, index): Entry => ({ where: `${kind}[${index}]`, value })),
    notes: [],
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw notJson((file) => `${file} is not JSON: ${error instanceof Error ? error.message : error}`)
  }
}

function listsOf(value: unknown): Partial<Record<Kind, unknown[]>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw notJson((file) => `${file} must hold a JSON object`)
  const lists: Partial<Record<Kind, unknown[]>> = {}
  for (const [name, list] of Object.entries(value)) {
    const kind = JSON_KINDS.find((each) => each === name)
    if (kind === undefined)
      throw notJson((file) => `${file} has "${name}"; what can be imported is ${JSON_KINDS.join(', ')}`)
    if (!Array.isArray(list)) throw notJson((file) => `"${name}" in ${file} must be a list`)
    lists[kind] = list
  }
  return lists
}

function notJson(sentence: (file: string) => string): UnreadableFile {
  return new UnreadableFile('not_json', sentence)
}
