import { hash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** The library that plays segments. Browsers load it on the page on which a protected film is played, and on no other. */
const LIBRARY = import.meta.resolve('hls.js/dist/hls.min.mjs')

export type EngineFile = { bytes: Buffer; version: string }

let loaded: Promise<EngineFile> | undefined

export function readEngine(): Promise<EngineFile> {
  loaded ??= readFile(fileURLToPath(LIBRARY)).then((bytes) => ({ bytes, version: hash('sha256', bytes).slice(0, 16) }))
  return loaded
}

/** The address of the library, which changes with its content. */
export async function engineAddress(): Promise<string> {
  const { version } = await readEngine()
  return `/assets/player/${version}/hls.mjs`
}
