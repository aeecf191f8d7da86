import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setOwnThemes, THEMES, type ThemeEntry } from '#catalog/theme-settings/themes.facts.ts'
import type { ThemeFault } from './state.ts'

/** Describes a theme of the operator. */
const DESCRIPTION = 'theme.json'

/** The ids below are for themes that come with the service. */
const ID_MIN = 1000
const ID_MAX = 999_999_999
const NAME_MAX = 100

/** The name of the folder is part of the addresses of its assets. */
const FOLDER = /^[a-z0-9][a-z0-9-]{0,39}$/

export type OwnThemes = { themes: Map<number, ThemeEntry>; faults: ThemeFault[] }

/** Where an operator puts themes. */
export function ownThemesFolder(dataFolder: string): string {
  return join(dataFolder, 'themes')
}

/** Reads which themes are in the data folder. One that cannot be chosen is a fault, and the others are there all the same. */
export function readOwnThemes(dataFolder: string): OwnThemes {
  const themes: OwnThemes['themes'] = new Map()
  const faults: ThemeFault[] = []
  const root = ownThemesFolder(dataFolder)
  for (const folder of foldersIn(root)) {
    const path = join(root, folder)
    const found = describe(folder, path)
    if ('message' in found) faults.push(found)
    else if (themes.has(found.id)) faults.push(wrong(folder, `has the id ${found.id} of another theme`))
    else themes.set(found.id, { name: found.name, folder, path })
  }
  return { themes, faults }
}

/** Makes the themes in the data folder choosable, in this process. */
export function useOwnThemes(dataFolder: string): void {
  setOwnThemes(readOwnThemes(dataFolder).themes)
}

function foldersIn(root: string): string[] {
  if (!existsSync(root)) return []
  const entries = readdirSync(root, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  return entries.flatMap((entry) => (entry.isDirectory() || entry.isSymbolicLink() ? entry.name : [])).sort()
}

function wrong(folder: string, message: string): ThemeFault {
  return { file: `${folder}/${DESCRIPTION}`, line: undefined, message }
}

function describe(folder: string, path: string): { id: number; name: string } | ThemeFault {
  const isTaken = [...THEMES.values()].some((theme) => theme.path === undefined && theme.folder === folder)
  if (isTaken || !FOLDER.test(folder)) return { file: folder, line: undefined, message: 'is not a name for a theme' }
  let text: string
  try {
    text = readFileSync(join(path, DESCRIPTION), 'utf8')
  } catch {
    return wrong(folder, 'cannot be read')
  }
  return readDescription(text) ?? wrong(folder, `needs an "id" from ${ID_MIN} to ${ID_MAX} and a "name"`)
}

function readDescription(text: string): { id: number; name: string } | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null) return undefined
  const { id, name }: { id?: unknown; name?: unknown } = value
  if (typeof id !== 'number' || !Number.isInteger(id) || id < ID_MIN || id > ID_MAX) return undefined
  if (typeof name !== 'string' || name.trim() === '' || name.length > NAME_MAX) return undefined
  return { id, name: name.trim() }
}
