import { allSettings } from '#platform/settings/config.ts'
import { SECRET_SETTINGS } from '#platform/settings/secret-files.ts'
import { GATEWAY_URLS } from '#selling/payments/gateways/table.facts.ts'

type Setting = { name: string; default: unknown; type: string; description: string; values: string[] | undefined }

function listSettings(): Setting[] {
  return Object.entries(allSettings(GATEWAY_URLS)).map(([name, schema]) => {
    const { type, default: value, description, enum: values }: Partial<Setting> & { enum?: string[] } = schema
    return { name, default: value, type: type ?? 'string', description: description ?? '', values }
  })
}

function cell({ default: value, type }: Setting): string {
  if (value !== undefined) return `\`${value}\``
  return type === 'boolean' ? 'depends' : 'none'
}

/** What a setting takes, where its meaning does not say it. */
function meaning({ description, values, type }: Setting): string {
  const choice = values ?? (type === 'boolean' ? ['on', 'off'] : [])
  const words = choice.length === 0 ? '' : ` One of ${choice.map((value) => `\`${value}\``).join(', ')}.`
  return `${description}${words}`.replaceAll('|', '\\|')
}

/** docs/settings.md: every setting in the order of the list, for those who run the service. */
export function settingsPage(): string {
  const rows = listSettings().map((setting) => `| \`${setting.name}\` | ${cell(setting)} | ${meaning(setting)} |`)
  return `# Settings

The service starts without any settings. To change one, set an environment variable, or add a line to a file \`.env\` in the
folder in which you start the service. If both set it, the environment wins. If any values are wrong, the service names all
of them and does not start.

A secret can be in a file instead, as Docker and Kubernetes hand it over: the name of the setting with \`_FILE\` at its end names
the file, such as \`DATABASE_URL_FILE=/run/secrets/database_url\`. This holds for ${SECRET_SETTINGS.map((name) => `\`${name}\``).join(', ')}.
A line break at the end of the file does not count. The service does not start if both are set, or if the file is empty or cannot be read.

| Setting | Default | Meaning |
|---|---|---|
${rows.join('\n')}

<!-- Generated from src/platform/settings/config.ts by npm run generate. -->
`
}

/** .env.example: the same list as lines that are commented out. */
export function envExample(): string {
  const entries = listSettings().map(
    (setting) => `# ${meaning(setting).replaceAll('`', '')}\n#${setting.name}=${setting.default ?? ''}\n`,
  )
  return `# Settings of Licet. Copy this file to .env and remove the number sign from the settings that you want to change.
# Secrets can be in files instead: DATABASE_URL_FILE=/run/secrets/database_url, see docs/settings.md.
# Generated from src/platform/settings/config.ts by npm run generate.

${entries.join('\n')}`
}
