import type { Command } from 'commander'
import { NewerSchemaError } from '#platform/db/migrate.ts'
import { renewSecret } from '#program/boot/secret.ts'
import { StartError } from '#program/boot/start-error.ts'
import { closeStore, openStore, upgrade } from '#program/boot/store.ts'
import { command, print, type Terminal } from './program.ts'

const RENEWED =
  'The secret of this machine is the right one from now on. Give it to the others, and restart every process. Users with a second factor need a recovery code to sign in, and set it up again; the secrets of apps have to be rotated.'

export function addSecrets(program: Command, terminal: Terminal): void {
  const secret = program
    .command('secret')
    .description('Renew the secret of the installation.')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })

  command(
    secret,
    'renew',
    'Continue with the secret of this machine after the one that the database knows was lost.',
  ).action(async (options: { json?: boolean }) => {
    const config = terminal.config()
    // Opened without the vault, which no longer opens.
    const store = await openStore(config)
    try {
      await upgrade(store.db).catch((error) => {
        throw error instanceof NewerSchemaError ? new StartError(error.message) : error
      })
      const renewed = await renewSecret(config, store.db)
      print(terminal, options.json, { renewed }, renewed ? RENEWED : 'The secret is the right one already.')
    } finally {
      await closeStore(store)
    }
  })
}
