import { statSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))

/** All test files, those that take longest first, so that no worker is left alone with one of them at the end. */
const PATTERNS = [
  'test/**/*.test.ts',
  'fuzz/**/*.test.ts',
  'bench/**/*.test.ts',
  'proof/**/*.test.ts',
  'src/**/*.test.ts',
  'pdf-text/src/**/*.test.ts',
  'scripts/**/*.test.ts',
]

/**
 * Test files in the order in which they run. With words, only those that have one of them in their path: the name of a wing,
 * a room or a file, or several in a row, such as `selling/orders`.
 */
export async function findTestFiles(
  words: readonly string[] = [],
  { root = ROOT, patterns = PATTERNS }: { root?: string; patterns?: string[] } = {},
): Promise<string[]> {
  const found = await Promise.all(patterns.map((pattern) => Array.fromAsync(glob(pattern, { cwd: root }))))
  /** The longer a file, the longer it takes, as a rule. */
  const sizeOf = (file: string) => statSync(join(root, file)).size
  const files = found.flatMap((some) => some.toSorted((one, other) => sizeOf(other) - sizeOf(one)))
  return words.length === 0 ? files : files.filter((file) => words.some((word) => isIn(file, word)))
}

/** The words that no path has. */
export async function unknownWords(words: readonly string[]): Promise<string[]> {
  const files = await findTestFiles()
  return words.filter((word) => !files.some((file) => isIn(file, word)))
}

function isIn(file: string, word: string): boolean {
  const wanted = word.replace(/^(\.?\/)+|\/+$|(\.test)?\.ts$/g, '')
  return `/${file.replace(/\.test\.\w+$/, '')}/`.includes(`/${wanted}/`)
}
