import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource } from '#platform/resource.ts'
import { giveWaiting } from './commands.ts'
import { GIVE_KEYS, WARN_OF_KEYS } from './jobs.ts'
import { warnOfKeys } from './mails.ts'
import { activationRoutes, softwareKeyRoutes } from './routes.ts'
import { Activation, ActivationLicense, KeyCount, KeyImport, KeyStock, ListedKey, SoftwareKey } from './schema.ts'

export const softwareKeys: Resource = {
  tags: [{ name: 'Software keys', description: 'Keys of programs, and the devices on which they are activated.' }],
  schemas: [Activation, ActivationLicense, SoftwareKey, KeyImport, KeyCount, ListedKey, KeyStock],
  routes: [softwareKeyRoutes],
  appRoutes: [activationRoutes],
  jobs: ({ db, clock }) => [
    createHandler(GIVE_KEYS, ({ companyId, data }) => giveWaiting({ db, now: clock.of }, companyId, data.product_key)),
    createHandler(
      WARN_OF_KEYS,
      doneOnce(db, (tx, { companyId, data }) => warnOfKeys(tx, companyId, data, clock.of(companyId))),
    ),
  ],
}
