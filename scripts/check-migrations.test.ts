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

test('a release without migrations is a mistake, because nothing could be compared', () => {
  const release = { tag: 'v0.1.0', migrations: new Map() }
  assert.match(releaseMistakes(new Map([['0001_companies.sql', '']]), release).join(), /cannot compare/)
})

describe('in a repository', () => {
  async function released(): Promise<Repository> {
    const repository = await makeRepository()
    await repository.write({ 'migrations/0001_companies.sql': 'create table companies ();\n' })
    await repository.write({ 'migrations/0002_apps.sql': 'create table apps ();\n' })
    await repository.commit('first')
    await repository.git('tag', 'v0.9.0')
    await repository.write({ 'migrations/0003_events.sql': 'create table events ();\n' })
    await repository.commit('second')
    await repository.git('tag', 'v0.10.0')
    // Only tags of releases count.
    await repository.git('tag', 'vnext')
    return repository
  }

  test('a new migration above the released ones is fine', async () => {
    const { root, write } = await released()
    await write({ 'migrations/0004_mails.sql': 'create table mails ();\n' })
    assert.deepEqual(await checkMigrations(root), { mistakes: [], note: 'compared with v0.10.0' })
  })

  test('a released migration cannot change', async () => {
    const { root, write } = await released()
    await write({ 'migrations/0001_companies.sql': 'create table companies (id bigint);\n' })
    assert.deepEqual((await checkMigrations(root)).mistakes, [
      'migrations/0001_companies.sql is changed, but was released with v0.10.0: add a new migration',
    ])
  })

  test('a released migration cannot be renamed or renumbered', async () => {
    const { root } = await released()
    await rename(join(root, 'migrations/0003_events.sql'), join(root, 'migrations/0003_outbox.sql'))
    assert.deepEqual((await checkMigrations(root)).mistakes, [
      'migrations/0003_events.sql is missing or renamed, but was released with v0.10.0',
      'migrations/0003_outbox.sql needs a number above 0003, the last one in v0.10.0',
    ])
  })

  test('a released migration cannot be removed', async () => {
    const { root } = await released()
    await rm(join(root, 'migrations/0003_events.sql'))
    assert.deepEqual((await checkMigrations(root)).mistakes, [
      'migrations/0003_events.sql is missing or renamed, but was released with v0.10.0',
    ])
  })

  test('a release of another branch does not count', async () => {
    const { root, git, write, commit } = await released()
    await git('checkout', '--quiet', '-b', 'maintenance', 'v0.9.0')
    await write({ 'migrations/0003_hotfix.sql': 'select 1;\n' })
    await commit('hotfix')
    assert.deepEqual(await checkMigrations(root), { mistakes: [], note: 'compared with v0.9.0' })
  })

  test('without a release tag the numbering is still checked', async () => {
    const { root, write, commit } = await makeRepository()
    await write({ 'migrations/0001_companies.sql': 'create table companies ();\n' })
    await commit('first')
    const note = 'found no release tag: only the numbering of the migrations was checked'
    assert.deepEqual(await checkMigrations(root), { mistakes: [], note })
    await write({ 'migrations/0003_events.sql': 'create table events ();\n' })
    assert.deepEqual(await checkMigrations(root), {
      mistakes: ['migrations/0003_events.sql should have the number 0002: numbers have no gaps'],
      note,
    })
  })
})
