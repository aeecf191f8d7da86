import { t } from '../words/words.ts'

const NAMED = ['subject', 'title', 'text', 'thanks', 'button', 'open', 'hello', 'hello_name', 'answer'] as const

/** What a text is called: a word for those that every mail has, and for others their name in the mail. */
export function nameOfText(name: string): string {
  const known = NAMED.find((each) => each === name)
  return known === undefined ? name.replaceAll('.', ' › ').replaceAll('_', ' ') : t(`mails.names.${known}`)
}
