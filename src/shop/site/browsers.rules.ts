import type { OperatingSystem } from '#selling/orders/statistics/rules.ts'

/** The first match counts: Fire OS and Chrome OS call themselves Android or Linux too. */
const SYSTEMS: readonly (readonly [RegExp, OperatingSystem])[] = [
  [/\bKindle|\bSilk\/|\bKF[A-Z]{2,6}\b|\bAFT[A-Z]/, 'fire_os'],
  [/\bCrOS\b/, 'chrome_os'],
  [/\biPhone\b|\biPad\b|\biPod\b/, 'ios'],
  [/\bAndroid\b/, 'android'],
  [/\bWindows\b/, 'windows'],
  [/\bMacintosh\b|\bMac OS X\b/, 'os_x'],
  [/\bLinux\b|\bX11\b/, 'linux'],
]

/** The system that a browser says it runs on. */
export function operatingSystemOf(userAgent: string): OperatingSystem {
  return SYSTEMS.find(([pattern]) => pattern.test(userAgent))?.[1] ?? 'unknown'
}
