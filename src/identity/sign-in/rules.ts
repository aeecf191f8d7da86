import { passwordFault } from '#identity/users/rules.ts'
import type { Translator } from '#platform/text/messages.ts'
import { EMAIL_MAX, EMAIL_PATTERN, NAME_MAX } from '#platform/wire/schema.ts'

const RETURN_MAX = 4000

/** Where people who have signed in work. */
export const HOME = '/admin'

/** The page after sign-in: a page of this service, or the admin interface. Other addresses are refused. */
export function returnPath(text: string): string {
  const place = 'https://here.invalid'
  if (!text.startsWith('/') || text.length > RETURN_MAX || !URL.canParse(text, place)) return HOME
  const { origin, pathname, search } = new URL(text, place)
  // To a browser two leading slashes start another host, and `/.//host` becomes that without its dot.
  if (origin !== place || pathname.startsWith('//')) return HOME
  const path = `${pathname}${search}`
  return path.length > RETURN_MAX ? HOME : path
}

/** Says that there were too many attempts, and when the next one is possible. */
export function waitText(t: Translator, seconds: number): string {
  return seconds < 120
    ? t('account.form.wait_seconds', { count: seconds })
    : t('account.form.wait_minutes', { count: Math.ceil(seconds / 60) })
}

/** The errors of a form, by field; empty if there are none. */
export type Mistakes = Record<string, string>

/** The errors of a new password that was typed twice. */
export function passwordMistakes(t: Translator, form: { password: string; password_confirmation: string }): Mistakes {
  if (passwordFault(form.password) !== undefined) return { password: t('account.mistakes.password_length') }
  if (form.password !== form.password_confirmation)
    return { password_confirmation: t('account.mistakes.password_differs') }
  return {}
}

/** The errors of required names. */
export function nameMistakes(t: Translator, form: Record<string, string>): Mistakes {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      if (value.trim() === '') return [[name, t('account.mistakes.empty')]]
      if (value.includes('\0')) return [[name, t('account.mistakes.unstorable')]]
      return [...value.trim()].length > NAME_MAX ? [[name, t('account.mistakes.too_long', { max: NAME_MAX })]] : []
    }),
  )
}

const EMAIL = new RegExp(EMAIL_PATTERN, 'u')

export function emailMistakes(t: Translator, form: { email: string }): Mistakes {
  const email = form.email.trim()
  return EMAIL.test(email) && [...email].length <= EMAIL_MAX ? {} : { email: t('account.mistakes.email') }
}
