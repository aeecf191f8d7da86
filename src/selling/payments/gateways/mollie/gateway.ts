import type { GatewayKind } from '../gateway.ts'
import { keyInWords } from '../keys.rules.ts'
import { connectMollie } from './connect.gateway.ts'
import { mollieGateway } from './payments.gateway.ts'
import { MollieInput, MollieSettings } from './schema.ts'

/** Cards, iDEAL, Bancontact and other ways of Mollie, on a page of Mollie. */
export const mollie: GatewayKind<'Mollie', typeof MollieSettings, typeof MollieInput> = {
  name: 'Mollie',
  settings: MollieSettings,
  input: MollieInput,
  keys: [{ field: 'secret_key', form: /^(test|live)_\w{30,}$/, example: 'live_' }],
  isTestKey: (key) => key.startsWith('test_'),
  isPretended: false,
  signsNews: false,
  isElsewhere: true,
  apiUrl: 'https://api.mollie.com',
  show: ({ enabled, key_hint, is_test }) => ({ enabled, secret_key_hint: key_hint, test_mode: is_test }),
  inWords: (settings) => [keyInWords('Mollie', settings)],
  about: 'cards, bank transfers and other ways of Mollie',
  options: [{ flag: 'mollie-key-file', field: 'secret_key', about: 'file with the API key', reads: 'file' }],
  connect: connectMollie,
  open: ({ companyId, keys, url, webhookUrl, outbound }) =>
    keys?.secret_key === undefined
      ? undefined
      : mollieGateway({ companyId, key: keys.secret_key, url, webhookUrl, outbound }),
}
