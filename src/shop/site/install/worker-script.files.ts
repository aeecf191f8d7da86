import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** The service worker of a shop. A new version of what it keeps is another script, which browsers then install. */
export function createWorkerScript(): (base: string, version: string) => Promise<string> {
  let source: Promise<string> | undefined
  return async (base, version) => {
    source ??= readFile(join(import.meta.dirname, 'service-worker.js'), 'utf8')
    return (await source).replace('__BASE__', base).replace('__VERSION__', version)
  }
}
