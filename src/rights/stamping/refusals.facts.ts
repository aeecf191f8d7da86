/** Sentences that tell the owner of a shop why a file cannot be stamped. */

export const TOO_MUCH_MEMORY = 'Stamping the file takes too much memory.'
export const TOO_SLOW = 'Stamping the file takes too long.'
export const NOT_STAMPABLE = 'The file is neither a PDF nor an EPUB.'
export const SOURCE_GONE = 'The file is no longer stored.'
export const PDF_DAMAGED = 'The PDF is damaged or incomplete.'
export const PDF_TOO_MANY_PAGES = 'The PDF has more than 50,000 pages.'
export const PDF_NEEDS_PASSWORD = 'The PDF can only be opened with a password.'
export const EPUB_DAMAGED = 'The EPUB is damaged or incomplete.'
export const EPUB_ENCRYPTED = 'The EPUB contains files that are encrypted.'
export const EPUB_UNSAFE_NAMES = 'The EPUB contains a file whose name leads out of it.'
export const EPUB_REPEATS_NAMES = 'The EPUB contains two files of the same name.'
export const EPUB_OVERLAPS = 'The EPUB claims to be larger than it is.'
export const EPUB_TOO_MANY_FILES = 'The EPUB contains too many files.'
export const EPUB_WITHOUT_ORDER = 'The EPUB does not say in which order its chapters are read.'
export const EPUB_NOT_UTF8 = 'The package document of the EPUB is not in UTF-8.'

export function tooLarge(bytesMax: number): string {
  return `The file is larger than ${bytesMax / 1_048_576} MB, so it cannot be stamped.`
}

/** A file that cannot be stamped, however often it is tried. The message is one of the sentences above. */
export class Unstampable extends Error {}
