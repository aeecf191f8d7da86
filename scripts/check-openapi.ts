import { join } from 'node:path'
import { lint, loadConfig } from '@redocly/openapi-core'
import { ROOT } from './source.ts'

const DOCUMENT = 'docs/openapi.json'

/** What the rules in redocly.yaml find in the OpenAPI document. The command of the same project has 15 MB more. */
export async function checkOpenapi(): Promise<string[]> {
  const config = await loadConfig({ configPath: join(ROOT, 'redocly.yaml') })
  const problems = await lint({ ref: join(ROOT, DOCUMENT), config })
  return problems
    .filter(({ ignored }) => ignored !== true)
    .map(({ ruleId, message, location }) => `${DOCUMENT}${location[0]?.pointer ?? ''}: ${message} (${ruleId})`)
}
