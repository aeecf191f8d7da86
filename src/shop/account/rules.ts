/** The changes that the account page confirms. */
const NOTICES = new Set(['password', 'email', 'details'])

export function isNotice(text: string): boolean {
  return NOTICES.has(text)
}
