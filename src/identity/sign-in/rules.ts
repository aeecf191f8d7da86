import { passwordFault } from '#identity/users/rules.ts'
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

export function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} second${seconds === 1 ? '' : 's'}`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** The errors of a form, by field; empty if there are none. */
export type Mistakes = Record<string, string>

/** The errors of a new password that was typed twice. */
export function passwordMistakes(form: { password: string; password_confirmation: string }): Mistakes {
  const fault = passwordFault(form.password)
  if (fault !== undefined) return { password: `The password ${fault.message}.` }
  if (form.password !== form.password_confirmation)
    return { password_confirmation: 'This differs from the password above: type both again.' }
  return {}
}

/** The errors of required names. */
export function nameMistakes(form: Record<string, string>): Mistakes {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      if (value.trim() === '') return [[name, 'Please fill this in.']]
      if (value.includes('\0')) return [[name, 'This has a character that cannot be stored: type it again.']]
      return [...value.trim()].length > NAME_MAX
        ? [[name, `This is too long: ${NAME_MAX} characters fit. Shorten it.`]]
        : []
    }),
  )
}

const EMAIL = new RegExp(EMAIL_PATTERN, 'u')

export function emailMistakes(form: { email: string }): Mistakes {
  const email = form.email.trim()
  return EMAIL.test(email) && [...email].length <= EMAIL_MAX
    ? {}
    : { email: 'This is not an e-mail address: type one such as jane@example.com.' }
}
