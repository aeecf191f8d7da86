import { passwordProblem } from '#users/rules.ts'

/** Where to go after signing in: a place on this service, or the account page. Nothing else can be asked for. */
export function returnPath(text: string): string {
  const place = 'https://here.invalid'
  if (!text.startsWith('/') || text.length > 4000 || !URL.canParse(text, place)) return '/account'
  const url = new URL(text, place)
  // What begins with two slashes, or a slash and a backslash, is another host to a browser.
  return url.origin === place ? `${url.pathname}${url.search}` : '/account'
}

/** The browser in words, as far as they help somebody to recognise it. */
export function browserName(userAgent: string): string {
  const [, browser = 'A browser'] =
    /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent.replace(/Chrome(?=.*(Edg|OPR)\/)/, '')) ?? []
  const [, system] = /(Windows|Android|iPhone|iPad|Mac OS X|CrOS|Linux)/.exec(userAgent) ?? []
  const names: Record<string, string> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS', CrOS: 'ChromeOS' }
  const known = names[browser] ?? browser
  return system === undefined ? known : `${known} on ${names[system] ?? system}`
}

export function inWords(seconds: number): string {
  if (seconds < 120) return `${seconds} second${seconds === 1 ? '' : 's'}`
  return `${Math.ceil(seconds / 60)} minutes`
}

/** What is wrong with the fields of a form, by name; it is right if there is nothing. */
export type Mistakes = Record<string, string>

const NAME_MAX = 100

/** What is wrong with a password that somebody chose and typed twice. */
export function passwordMistakes(form: { password: string; password_confirmation: string }): Mistakes {
  const problem = passwordProblem(form.password)
  if (problem !== undefined) return { password: `The password ${problem}.` }
  if (form.password !== form.password_confirmation)
    return { password_confirmation: 'This is not the same as the password above.' }
  return {}
}

/** What is wrong with names that have to be there. */
export function nameMistakes(form: Record<string, string>): Mistakes {
  return Object.fromEntries(
    Object.entries(form).flatMap(([name, value]) => {
      if (value.trim() === '') return [[name, 'This is needed.']]
      if (value.includes('\0')) return [[name, 'This can not be stored.']]
      return value.length > NAME_MAX ? [[name, `This is too long: ${NAME_MAX} characters fit.`]] : []
    }),
  )
}

export function emailMistakes(form: { email: string }): Mistakes {
  return /^(?=.{1,100}$)[^@\s\0]{1,64}@[^@\s\0]+$/.test(form.email.trim())
    ? {}
    : { email: 'This is not an e-mail address.' }
}
