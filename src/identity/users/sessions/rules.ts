const USER_AGENT_MAX = 500

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
  const [, browser = 'A browser'] = BROWSERS.find(([pattern]) => pattern.test(text)) ?? []
  const [, system] = SYSTEMS.find(([pattern]) => pattern.test(text)) ?? []
  return system === undefined ? browser : `${browser} on ${system}`
}
