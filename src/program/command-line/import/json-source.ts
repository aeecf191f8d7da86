import { readFile } from 'node:fs/promises'
import { StartError } from '#program/boot/start-error.ts'
import { messageOf } from '../program.ts'
import { type Entry, KINDS, type Kind, type Source } from './entries.ts'

/** Opens a JSON file: an object of lists, in the field names of the API. */
export async function openJson(file: string): Promise<Source> {
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new StartError(`${file} can't be read: ${error.message}.`, 2)
  })
  const lists = listsOf(file, parse(file, text))
  return {
    lists: new Map(KINDS.flatMap((kind) => (lists[kind] === undefined ? [] : [[kind, lists[kind].length]]))),
    read: (kind) => (lists[kind] ?? []).map((value, index): Entry => ({ where: `${kind}[${index}]`, value })),
    notes: [],
  }
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new StartError(`${file} is not JSON: ${messageOf(error)}.`, 2)
  }
}

function listsOf(file: string, value: unknown): Partial<Record<Kind, unknown[]>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new StartError(`${file} must hold a JSON object.`, 2)
  const lists: Partial<Record<Kind, unknown[]>> = {}
  for (const [name, list] of Object.entries(value)) {
    const kind = KINDS.find((each) => each === name)
    if (kind === undefined)
      throw new StartError(`${file} has "${name}"; what can be imported is ${KINDS.join(', ')}.`, 2)
    if (!Array.isArray(list)) throw new StartError(`"${name}" in ${file} must be a list.`, 2)
    lists[kind] = list
  }
  return lists
}
