import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Report } from './check-migrations.ts'
import { ROOT } from './source.ts'

/** Licenses under which a package may be used and given on with this program. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  // libvips, a library of its own that can be replaced.
  'LGPL-3.0-or-later',
  'MIT',
  'MIT-0',
  // Of the files of the package alone, and they are not changed.
  'MPL-2.0',
  // Fonts.
  'OFL-1.1',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])

/** Packages whose metadata does not say what their license file says. */
const WRONG_METADATA: Record<string, { license: string; reason: string }> = {
  'combine-errors': { license: 'MIT', reason: 'its readme says MIT, its package.json nothing' },
}

/** Is one of several licenses allowed, or all that hold together? */
export function isAllowed(expression: string): boolean {
  const text = expression.trim().replace(/^\(([^()]*)\)$/, '$1')
  if (/ OR /.test(text)) return text.split(' OR ').some(isAllowed)
  if (/ AND /.test(text)) return text.split(' AND ').every(isAllowed)
  return ALLOWED.has(text)
}

export type Package = { name: string; license?: unknown; licenses?: unknown }

function licenseOf({ name, license, licenses }: Package): string {
  const wrong = WRONG_METADATA[name]
  if (wrong !== undefined) return wrong.license
  const stated = license ?? licenses
  if (Array.isArray(stated)) return stated.map((one) => one.type ?? one).join(' OR ')
  return typeof stated === 'object' && stated !== null && 'type' in stated
    ? String(stated.type)
    : String(stated ?? 'none')
}

export function licenseMistakes(packages: readonly Package[]): string[] {
  if (packages.length === 0) return ['saw no package: run npm ci']
  const refused = packages.filter((one) => !isAllowed(licenseOf(one)))
  const unused = Object.keys(WRONG_METADATA).filter((name) => !packages.some((one) => one.name === name))
  return [
    ...refused.map((one) => `${one.name}: its license, ${licenseOf(one)}, is not on the list`),
    ...unused.map((name) => `${name} is not installed: remove it from the list of wrong metadata`),
  ]
}

export async function checkLicenses(): Promise<Report> {
  const { packages } = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8'))
  const places = Object.keys(packages).filter((path) => path.includes('node_modules/') && !packages[path].link)
  // Those for other machines are not installed here; npm has written down what they say of their license.
  const found = places.map(async (path): Promise<Package> => {
    const file = join(ROOT, path, 'package.json')
    const name = path.split('node_modules/').at(-1) ?? path
    return existsSync(file) ? { ...JSON.parse(await readFile(file, 'utf8')), name } : { ...packages[path], name }
  })
  const all = await Promise.all(found)
  return { mistakes: licenseMistakes(all), note: `${all.length} packages` }
}
