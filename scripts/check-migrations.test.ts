import assert from 'node:assert/strict'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { checkMigrations, checkMigrationsOfProject, numberingMistakes, releaseMistakes } from './check-migrations.ts'
import { makeRepository, type Repository } from './repository.ts'

test('the migrations of this project have no mistakes', async () => {
  assert.deepEqual((await checkMigrationsOfProject()).mistakes, [])
})

describe('numbering', () => {
  test('starts at 1 and has no gaps', () => {
    assert.deepEqual(numberingMistakes(['0002_apps.sql', '0001_companies.sql']), [])
    assert.deepEqual(numberingMistakes(['0001_companies.sql', '0003_events.sql']), [
      'migrations/0003_events.sql should have the number 0002: numbers have no gaps',
    ])
    assert.deepEqual(numberingMistakes(['0002_apps.sql']), [
      'migrations/0002_apps.sql should have the number 0001: numbers have no gaps',
    ])
  })

  test('uses each number once', () => {
    assert.deepEqual(numberingMistakes(['0001_apps.sql', '0001_companies.sql', '0002_events.sql']), [
      'migrations/0001_companies.sql has the number of 0001_apps.sql',
    ])
  })

  test('needs names in one form', () => {
    for (const name of ['1_apps.sql', '0001-apps.sql', '0001_Apps.sql', '0001_apps.sql.orig', 'notes.md'])
      assert.deepEqual(numberingMistakes([name]), [`migrations/${name} is not named like 0001_companies.sql`])
  })

  test('fails when there is no migration at all', () => {
    assert.match(numberingMistakes([]).join(), /saw no file/)
  })
})

/** A migration from before the rule, which the rule would refuse. */
const OLD = 'create table companies ();\n'
const table = (name: string) => `set local lock_timeout = '10s';\ncreate table ${name} ();\n`

test('a release without migrations is a mistake, because nothing could be compared', () => {
  const release = { tag: 'v0.1.0', migrations: new Map() }
  assert.match(releaseMistakes(new Map([['0001_companies.sql', '']]), release).join(), /cannot compare/)
})

describe('in a repository', () => {
  async function released(): Promise<Repository> {
    const repository = await makeRepository()
    await repository.write({ 'migrations/0001_companies.sql': OLD })
    await repository.write({ 'migrations/0002_apps.sql': table('apps') })
    await repository.commit('first')
    await repository.git('tag', 'v0.9.0')
    await repository.write({ 'migrations/0003_events.sql': table('events') })
    await repository.commit('second')
    await repository.git('tag', 'v0.10.0')
    // Only tags of releases count.
    await repository.git('tag', 'vnext')
    return repository
  }

  test('a new migration above the released ones is fine', async () => {
    const { root, write } = await released()
    await write({ 'migrations/0004_mails.sql': table('mails') })
    assert.deepEqual(await checkMigrations(root, 1), { mistakes: [], note: 'compared with v0.10.0' })
  })

  test('a released migration cannot change', async () => {
    const { root, write } = await released()
    await write({ 'migrations/0001_companies.sql': 'create table companies (id bigint);\n' })
    assert.deepEqual((await checkMigrations(root, 1)).mistakes, [
      'migrations/0001_companies.sql is changed, but was released with v0.10.0: add a new migration',
    ])
  })

  test('a released migration cannot be renamed or renumbered', async () => {
    const { root } = await released()
    await rename(join(root, 'migrations/0003_events.sql'), join(root, 'migrations/0003_outbox.sql'))
    assert.deepEqual((await checkMigrations(root, 1)).mistakes, [
      'migrations/0003_events.sql is missing or renamed, but was released with v0.10.0',
      'migrations/0003_outbox.sql needs a number above 0003, the last one in v0.10.0',
    ])
  })

  test('a released migration cannot be removed', async () => {
    const { root } = await released()
    await rm(join(root, 'migrations/0003_events.sql'))
    assert.deepEqual((await checkMigrations(root, 1)).mistakes, [
      'migrations/0003_events.sql is missing or renamed, but was released with v0.10.0',
    ])
  })

  test('a release of another branch does not count', async () => {
    const { root, git, write, commit } = await released()
    await git('checkout', '--quiet', '-b', 'maintenance', 'v0.9.0')
    await write({ 'migrations/0003_hotfix.sql': table('hotfix') })
    await commit('hotfix')
    assert.deepEqual(await checkMigrations(root, 1), { mistakes: [], note: 'compared with v0.9.0' })
  })

  test('without a release tag the numbering is still checked', async () => {
    const { root, write, commit } = await makeRepository()
    await write({ 'migrations/0001_companies.sql': OLD })
    await commit('first')
    const note = 'found no release tag: none is compared with what was released'
    assert.deepEqual(await checkMigrations(root, 1), { mistakes: [], note })
    await write({ 'migrations/0003_events.sql': table('events') })
    assert.deepEqual(await checkMigrations(root, 1), {
      mistakes: ['migrations/0003_events.sql should have the number 0002: numbers have no gaps'],
      note,
    })
  })

  test('a migration after the baseline is held to the rule, and the ones before it keep as they are', async () => {
    const { root, write } = await released()
    const drop = `set local lock_timeout = '10s';\ndrop table apps;\n`
    await write({ 'migrations/0004_drop_apps.sql': drop })
    assert.deepEqual((await checkMigrations(root, 1)).mistakes, [
      'migrations/0004_drop_apps.sql takes away the table apps',
    ])
    assert.deepEqual((await checkMigrations(root, 4)).mistakes, [])
  })

  test('a contract names the release since which nothing uses what it takes away', async () => {
    const { root, write } = await released()
    const contract = (version: string) => ({
      'migrations/0004_contract_0003_apps.sql': `-- Contract: nothing uses it since ${version}.\nset local lock_timeout = '10s';\ndrop table apps;\n`,
    })
    await write(contract('0.10.0'))
    assert.deepEqual((await checkMigrations(root, 1)).mistakes, [])
    await write(contract('0.9.0'))
    assert.match(
      (await checkMigrations(root, 1)).mistakes.join(),
      /has 3 in its name, but the last migration of 0\.9\.0 is 2/,
    )
    await write(contract('0.11.0'))
    assert.match((await checkMigrations(root, 1)).mistakes.join(), /names the release 0\.11\.0, which there is not/)
  })

  test('rules that find nothing in old migrations do not look', async () => {
    const { root, write, commit } = await makeRepository()
    await write({ 'migrations/0001_companies.sql': table('companies') })
    await commit('first')
    assert.match((await checkMigrations(root, 1)).mistakes.join(), /so they do not look/)
  })
})
