/** Why nothing of a file can be imported. */
export type UnreadableReason =
  | 'unreadable'
  | 'empty'
  | 'kind_unknown'
  | 'no_known_column'
  | 'not_utf8'
  | 'column_twice'
  | 'too_many_values'
  | 'row_too_long'
  | 'quote_not_closed'
  | 'quote_inside'
  | 'not_csv'
  | 'not_json'

/** A file that cannot be read as a whole. What is wrong with one of its entries is a mistake of that entry instead. */
export class UnreadableFile extends Error {
  readonly reason: UnreadableReason
  /** Where reading ended; undefined if the whole file is meant. */
  readonly line: number | undefined
  readonly #sentence: (file: string) => string

  constructor(reason: UnreadableReason, sentence: (file: string) => string, line?: number) {
    super(sentence('the file'))
    this.reason = reason
    this.line = line
    this.#sentence = sentence
  }

  /** The sentence with the name of the file, which only the caller knows. */
  sentenceFor(file: string): string {
    return this.#sentence(file)
  }
}

/** A sentence about one line of a file. */
export function unreadableLine(reason: UnreadableReason, line: number, what: string): UnreadableFile {
  return new UnreadableFile(reason, (file) => `${file}, line ${line} ${what}`, line)
}

/** An entry at which the import broke off, for a reason that is no mistake of the file. */
export class EntryFailed extends Error {
  constructor(where: string, cause: unknown) {
    super(`${where}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}
