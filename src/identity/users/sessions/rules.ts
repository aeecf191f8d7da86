import type { Translator } from '#platform/text/messages.ts'

const USER_AGENT_MAX = 500
const UNKNOWN = 'A browser'

/** Each browser also claims to be some of those below it. */
const BROWSERS: [RegExp, string][] = [
  [/Edg(A|iOS)?\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/(Firefox|FxiOS)\//, 'Firefox'],
  [/(Chrome|CriOS)\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const SYSTEMS: [RegExp, string][] = [
  [/Windows/, 'Windows'],
  [/Android/, 'Android'],
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Mac OS X/, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/, 'Linux'],
]

/** A readable name of the browser, for the user to recognise it. */
export function browserName(userAgent: string): string {
  const text = userAgent.slice(0, USER_AGENT_MAX)
  const [, browser = UNKNOWN] = BROWSERS.find(([pattern]) => pattern.test(text)) ?? []
  const [, system] = SYSTEMS.find(([pattern]) => pattern.test(text)) ?? []
  return system === undefined ? browser : `${browser} on ${system}`
}

const NAMES = new Set([UNKNOWN, ...BROWSERS.map(([, name]) => name)])
const SYSTEM_NAMES = new Set(SYSTEMS.map(([, name]) => name))

/** A stored name in parts; null for what is not known. */
export function browserParts(stored: string): { browser: string | null; system: string | null } {
  const [name = '', system = null] = stored.split(' on ')
  return { browser: name === UNKNOWN ? null : name, system }
}

/** A stored name in the language of the reader. A device may have a name of its own, which stays as it is. */
export function browserIn(t: Translator, stored: string): string {
  const [name = '', system] = stored.split(' on ')
  if (!NAMES.has(name) || (system !== undefined && !SYSTEM_NAMES.has(system))) return stored
  const browser = name === UNKNOWN ? t('account.browser.unknown') : name
  return system === undefined ? browser : t('account.browser.on', { browser, system })
}
