import type { PersonState } from '../state.ts'

export type NewsRecipientState = PersonState & {
  /** The shop whose newsletter it is. It may have been deleted since. */
  theme_setting_id: number
  /** The language of mails and pages for the recipient, as a two-letter code. */
  language: string
  /** When the recipient agreed; null: not yet. */
  confirmed_at: Date | null
  /** Where that consent comes from, as the company says; null: from the link in the mail, or nobody has said. */
  consent_source: string | null
  /** When the recipient left; null: has not. */
  unsubscribed_at: Date | null
  /** When the recipient last left, also if the recipient has signed up again since; null: never. */
  last_unsubscribed_at: Date | null
  /** The secret part of the link with which the recipient leaves. */
  unsubscribe_token: string
}
