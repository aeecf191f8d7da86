import assert from 'node:assert/strict'
import { ASKED, OWN } from './route-tables.ts'
import type { Things } from './things.ts'

/** The paths of a route, one for each way to name what the shop has. Users call the same ones below another prefix. */
export function pathsTo(url: string, things: Things): string[] {
  const described = url.replace(/^\/admin\/api\//, '/api/')
  if (!url.includes(':')) return [`${url}${ASKED[described]?.(things) ?? ''}`]
  const ids = OWN[described]?.(things)
  assert.ok(ids, `${url} has a parameter: say in OWN what a stranger could put there`)
  return ids.map((refs) => [refs].flat().reduce<string>((path, ref) => path.replace(/:\w+/, String(ref)), url))
}
