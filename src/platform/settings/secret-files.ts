import { readFileSync } from 'node:fs'
import { errorCode } from '../errors/error-code.ts'

/** The settings whose values must not be seen: not in messages, and not in the environment of those who keep secrets in files. */
export const SECRET_SETTINGS: readonly string[] = [
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_STANDBY_URL',
  'LICET_SECRET',
  'LICET_SMTP_URL',
  'LICET_METRICS_TOKEN',
  'LICET_S3_ACCESS_KEY_ID',
  'LICET_S3_ACCESS_SECRET',
  'LICET_DRM_PROXY_SECRET',
  'LICET_BACKUP_S3_ACCESS_KEY_ID',
  'LICET_BACKUP_S3_ACCESS_SECRET',
  'LICET_TOKEN',
  'OTEL_EXPORTER_OTLP_HEADERS',
]

export const fileSettingOf = (name: string) => `${name}_FILE`

type Environment = Record<string, string | undefined>

/** The environment with the contents of the files that `NAME_FILE` names, as Docker and Kubernetes hand secrets over. */
export function withSecretFiles(env: Environment, mistakes: string[]): Environment {
  const read: Environment = { ...env }
  for (const name of SECRET_SETTINGS) {
    const file = env[fileSettingOf(name)] ?? ''
    if (file === '') continue
    if ((env[name] ?? '') !== '') mistakes.push(`${name} and ${fileSettingOf(name)} must not both be set.`)
    else read[name] = readSecret(name, file, mistakes)
  }
  return read
}

function readSecret(name: string, file: string, mistakes: string[]): string {
  try {
    // Editors and `echo` end a file with a line break, which belongs to no secret.
    const text = readFileSync(file, 'utf8').replace(/\r?\n$/, '')
    if (text === '') mistakes.push(`${fileSettingOf(name)} names an empty file, ${file}.`)
    return text
  } catch (error) {
    mistakes.push(`${fileSettingOf(name)} names a file that can't be read (${errorCode(error)}): ${file}.`)
    return ''
  }
}
