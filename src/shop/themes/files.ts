import { hash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { ThemeFault } from './state.ts'

/** Messages of pages by their keys, such as `cart.empty`. */
export type Texts = ReadonlyMap<string, string>

export type Asset = { bytes: Buffer; contentType: string; hash: string }

/** The files of a theme as they were at one moment. */
export type ThemeFiles = {
  /** The Liquid files by their path in the theme, such as `snippets/card.liquid`. */
  templates: ReadonlyMap<string, string>
  /** The texts of the theme's own, by language. They go before those of the service. */
  locales: ReadonlyMap<string, Texts>
  /** Stylesheets, scripts, fonts and pictures by their name. */
  assets: ReadonlyMap<string, Asset>
}

/** Where a theme is, and the theme that has what it leaves out. */
export type ThemeFolders = { path: string; base?: string }

/** Thrown for a theme that cannot be shown. */
export class ThemeError extends Error {
  readonly fault: ThemeFault

  constructor(fault: ThemeFault, cause?: unknown) {
    super(`${fault.file}${fault.line === undefined ? '' : `:${fault.line}`}: ${fault.message}`, { cause })
    this.name = 'ThemeError'
    this.fault = fault
  }
}

const LIQUID_FOLDERS = ['layout', 'templates', 'snippets']
const LOCALES = 'locales'
const ASSETS = 'assets'

const CONTENT_TYPES: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webp': 'image/webp',
  '.jpg': 'image/jpeg',
}

/**
 * The paths of all files of a theme, with their size and the time of their last change. A theme that is based on another need
 * not have every part.
 */
function listFiles(folder: string, isBased: boolean): { path: string; stamp: string }[] {
  if (isBased) statSync(folder)
  const isThere = (part: string) => (part !== LOCALES && !isBased) || existsSync(join(folder, part))
  return [...LIQUID_FOLDERS, LOCALES, ASSETS].filter(isThere).flatMap((part) => {
    const inside = readdirSync(join(folder, part), { withFileTypes: true }).filter((entry) => entry.isFile())
    return inside.map(({ name }) => {
      const { mtimeMs, size } = statSync(join(folder, part, name))
      return { path: `${part}/${name}`, stamp: `${part}/${name} ${mtimeMs} ${size}` }
    })
  })
}

/** A text that differs after any change of a file. It reads no file, so it may be made often. */
export function stampOf({ path, base }: ThemeFolders): string {
  const files = [...(base === undefined ? [] : listFiles(base, false)), ...listFiles(path, base !== undefined)]
  return files.map(({ stamp }) => stamp).join('\n')
}

/** Reads a theme. What it does not have comes from its base. */
export function readTheme({ path, base }: ThemeFolders): ThemeFiles {
  const own = readFolder(path, base !== undefined)
  if (base === undefined) return own
  const { templates, locales, assets } = readFolder(base, false)
  const languages = new Set([...locales.keys(), ...own.locales.keys()])
  return {
    templates: new Map([...templates, ...own.templates]),
    locales: new Map(
      [...languages].map((code) => [code, new Map([...(locales.get(code) ?? []), ...(own.locales.get(code) ?? [])])]),
    ),
    assets: new Map([...assets, ...own.assets]),
  }
}

function readFolder(folder: string, isBased: boolean): ThemeFiles {
  const templates = new Map<string, string>()
  const locales = new Map<string, Texts>()
  const assets = new Map<string, Asset>()
  for (const { path } of listFiles(folder, isBased)) {
    const [part = '', name = ''] = path.split('/')
    const bytes = readFileSync(join(folder, path))
    if (part === LOCALES && name.endsWith('.json')) locales.set(name.slice(0, -'.json'.length), readTexts(path, bytes))
    else if (part === ASSETS) addAsset(assets, name, bytes)
    else if (name.endsWith('.liquid')) templates.set(path, bytes.toString())
  }
  return { templates, locales, assets }
}

/** Licenses and other files that no page loads have no content type here, so they are not served. */
function addAsset(assets: Map<string, Asset>, name: string, bytes: Buffer): void {
  const contentType = CONTENT_TYPES[extname(name)]
  if (contentType !== undefined) assets.set(name, { bytes, contentType, hash: hash('sha256', bytes).slice(0, 12) })
}

function readTexts(file: string, bytes: Buffer): Texts {
  try {
    return new Map(flatten(JSON.parse(bytes.toString()), ''))
  } catch (cause) {
    throw new ThemeError({ file, line: undefined, message: 'is not readable JSON' }, cause)
  }
}

/** `{cart: {empty: "…"}}` has the key `cart.empty`. */
function flatten(value: unknown, key: string): [string, string][] {
  if (typeof value === 'string') return [[key, value]]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inside]) => flatten(inside, key === '' ? name : `${key}.${name}`))
}
