import { allSettings, type Config, ConfigError, readConfig } from '#platform/settings/config.ts'
import { fileSettingOf, SECRET_SETTINGS } from '#platform/settings/secret-files.ts'
import { GATEWAY_URLS } from '#selling/payments/gateways/table.facts.ts'

const SECRET_FILES = new Map(SECRET_SETTINGS.map((name) => [fileSettingOf(name), name]))

export const settingNames = () => [...Object.keys(allSettings(GATEWAY_URLS)), ...SECRET_FILES.keys()]

/**
 * What the program says to the settings of a deployment file. Secrets are in files in `folder`, and `secrets` are their contents;
 * a secret in plain sight is a mistake.
 */
export function settingMistakes(
  values: Readonly<Record<string, string>>,
  folder: string,
  secrets: Readonly<Record<string, string>>,
): { mistakes: string[]; config?: Config } {
  const mistakes: string[] = []
  const known = settingNames()
  const read: Record<string, string> = { NODE_ENV: 'production', HOST: '0.0.0.0' }
  for (const [name, value] of Object.entries(values)) {
    const secret = SECRET_FILES.get(name)
    if (!known.includes(name)) mistakes.push(`${name} is not a setting`)
    else if (SECRET_SETTINGS.includes(name))
      mistakes.push(`${name} is a secret in plain sight: set ${fileSettingOf(name)}`)
    else if (secret === undefined) read[name] = value
    else if (!value.startsWith(folder)) mistakes.push(`${name} is not in ${folder}`)
    else if (secrets[value.slice(folder.length)] === undefined)
      mistakes.push(`${name}: there is no secret ${value.slice(folder.length)}`)
    else read[secret] = secrets[value.slice(folder.length)] ?? ''
  }
  try {
    return { mistakes, config: readConfig(read, GATEWAY_URLS) }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { mistakes: [...mistakes, ...error.mistakes] }
  }
}
