import { existsSync } from 'node:fs'
import { posix } from 'node:path'
import { inOneLine, ROOT, readSources, type Source, type Violation } from './source.ts'

const LINES_MAX = 400

/** Files that are too long to read. Generated files are not checked. */
export function tooLong({ path, text }: Source): Violation[] {
  const lines = text.split('\n').length - 1
  if (path.endsWith('.gen.ts') || lines <= LINES_MAX) return []
  return [{ path, line: LINES_MAX + 1, message: `has ${lines} lines; ${LINES_MAX} is the end` }]
}

const FILES_MAX = 25

/** Folders of the service and of the admin interface with more files than a reader takes in at a glance. */
export function tooFull(paths: readonly string[]): Violation[] {
  const folders = Map.groupBy(paths, (path) => posix.dirname(path))
  return [...folders]
    .filter(([folder, files]) => /^(admin\/)?src\//.test(folder) && files.length > FILES_MAX)
    .map(([path, { length }]) => ({ path, line: 1, message: `has ${length} files; ${FILES_MAX} is the end` }))
}

const LINK = /\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|^\[[^\]]+\]:\s+<?([^\s>]+)/g

/** Blanks out code, because a link in code is none. The line numbers stay the same. */
function withoutCode(text: string): string {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, '')
}

/** Links of a page to files of the project that are not there. */
export function brokenLinks({ path, text }: Source, exists: (path: string) => boolean): Violation[] {
  return withoutCode(text)
    .split('\n')
    .flatMap((content, index) =>
      [...content.matchAll(LINK)]
        .map(([, inline, reference]) => decodeURI((inline ?? reference ?? '').split('#')[0] ?? ''))
        .filter((target) => target !== '' && !/^[a-z][a-z0-9+.-]*:|^\//i.test(target))
        .filter((target) => !exists(posix.join(posix.dirname(path), target)))
        .map((target) => ({ path, line: index + 1, message: `links to ${target}, which is not there` })),
    )
}

export async function checkFileLengths(): Promise<string[]> {
  const sources = await readSources([
    '{src,test,scripts,bench,fuzz,proof,client/src,pdf-text/src}/**/*.ts',
    'admin/src/**/*.{ts,tsx,css}',
  ])
  if (sources.length === 0) return ['saw no file: it looked in the wrong place']
  return [...sources.flatMap(tooLong), ...tooFull(sources.map(({ path }) => path))].map(inOneLine)
}

export async function checkLinks(): Promise<string[]> {
  const pages = await readSources(['*.md', '{docs,bench,fuzz,proof}/**/*.md', 'client/*.md'])
  if (pages.length === 0) return ['saw no page: it looked in the wrong place']
  return pages.flatMap((page) => brokenLinks(page, (path) => existsSync(`${ROOT}${path}`))).map(inOneLine)
}
