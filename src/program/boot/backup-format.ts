import { type Static, Type } from 'typebox'

/** Describes a backup, in its folder. */
export const MANIFEST = 'backup.json'
export const FORMAT = 1
/** Its parts. */
export const DATABASE = 'database'
export const FILES = 'files'
export const SECRET = 'secret'
/** Nobody but its owner reads a backup. */
export const MODE = { folder: 0o700, file: 0o600 }

const Name = Type.String({ pattern: '^[a-z][a-z0-9_]*$' })
export const Manifest = Type.Object({
  format: Type.Integer(),
  version: Type.String(),
  created_at: Type.String(),
  migrations: Type.Array(Type.String(), { minItems: 1 }),
  tables: Type.Array(
    Type.Object({ name: Name, columns: Type.Array(Name), rows: Type.Integer(), sha256: Type.String() }),
  ),
  sequences: Type.Array(Type.Object({ name: Name, last_value: Type.String(), is_called: Type.Boolean() })),
  /** Relative to the folder of files. */
  files: Type.Array(Type.String()),
  has_secret: Type.Boolean(),
  /** The size of all its files. Earlier versions did not note it. */
  bytes: Type.Optional(Type.Integer()),
})
export type Manifest = Static<typeof Manifest>

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
