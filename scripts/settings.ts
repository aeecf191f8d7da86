import { Settings } from '#platform/config.ts'

type Setting = { name: string; default: unknown; type: string; description: string; values: string[] | undefined }

function allSettings(): Setting[] {
  return Object.entries(Settings.properties).map(([name, schema]) => {
    const {
      type,
      default: value,
      description,
      enum: values,
    } = schema as typeof schema & Partial<Setting> & { enum?: string[] }
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
  const rows = allSettings().map((setting) => `| \`${setting.name}\` | ${cell(setting)} | ${meaning(setting)} |`)
  return `# Settings

No setting is needed to start. Each one is an environment variable, or a line in a file \`.env\` in the folder that the
service is started in; where both name a setting, the environment wins. A value that can't be read stops the start, and
every such mistake is told at once.

| Setting | Default | Meaning |
|---|---|---|
${rows.join('\n')}

<!-- Generated from src/platform/config.ts by npm run generate. -->
`
}

/** .env.example: the same list as lines to take the number sign off. */
export function envExample(): string {
  const entries = allSettings().map(
    (setting) => `# ${meaning(setting).replaceAll('`', '')}\n#${setting.name}=${setting.default ?? ''}\n`,
  )
  return `# Settings of Licet. Copy this file to .env and take the number sign off what you want to change.
# Generated from src/platform/config.ts by npm run generate.

${entries.join('\n')}`
}
