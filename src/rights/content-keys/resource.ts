import type { Resource } from '#platform/resource.ts'
import { CONTENT_KEYS_PURPOSE } from './keys.secrets.ts'

export const contentKeys: Resource = {
  sealed: [{ table: 'content_keys', column: 'sealed', purpose: CONTENT_KEYS_PURPOSE }],
}
