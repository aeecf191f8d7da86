import type { MailKind } from './kinds.facts.ts'

/** The own texts of a company for a kind of mail in a language, by the keys of their messages. */
export type OwnTexts = { kind: MailKind; language: string; texts: Readonly<Record<string, string>> }

/** A message of a kind of mail. */
export type MailMessage = {
  key: string
  /** The key within its kind, such as `subject`. */
  name: string
  standard: string
  /** The values that it is given. */
  variables: string[]
}

/** A company as far as its own texts are concerned. */
export type Writer = { mail_texts?: readonly Pick<OwnTexts, 'language' | 'texts'>[] }
