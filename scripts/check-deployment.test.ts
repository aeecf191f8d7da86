import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  checkDeployment,
  composeMistakes,
  dockerfileMistakes,
  type Project,
  workflowMistakes,
} from './check-deployment.ts'

const project: Project = {
  nodeVersion: '26.10.0',
  postgresMajor: '18',
  port: 3000,
  settings: ['NODE_ENV', 'PORT', 'HOST', 'DATABASE_URL', 'LICET_SECRET'],
  healthPaths: ['/health', '/ready'],
  exists: (path) => path !== 'gone',
  version: '0.1.0',
  writable: ['/data', '/tmp'],
  accepts: ([name]) => ['serve', 'worker', 'migrate'].includes(name ?? ''),
}

const DOCKERFILE = `# a comment
FROM node:26-slim AS build
COPY --chown=node:node package.json package-lock.json ./
COPY bin bin
COPY locales locales
COPY migrations migrations
COPY src src
FROM node:26-slim
ENV NODE_ENV=production \\
  HOST=0.0.0.0 \\
  PORT=3000
COPY --from=build /app /app
USER node
EXPOSE 3000
HEALTHCHECK --interval=15s \\
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health')"]
`
const IGNORE = '*\n!package.json\n!package-lock.json\n!bin\n!locales\n!migrations\n!src\n**/*.test.ts\n'

const COMPOSE = `services:
  service:
    environment:
      DATABASE_URL: postgres://licet@database/licet
      PGPASSWORD: \${POSTGRES_PASSWORD:?Set it}
      LICET_SECRET: \${LICET_SECRET:-}
    ports:
      - "127.0.0.1:3000:3000"
  database:
    image: postgres:18
    environment:
      POSTGRES_PASSWORD: \${POSTGRES_PASSWORD:?Set it}
`

test('the files of this project repeat its facts', async () => {
  assert.deepEqual(await checkDeployment(), [])
})

describe('a Dockerfile', () => {
  const mistakes = (from: string, to: string, ignore = IGNORE) => {
    assert.ok(DOCKERFILE.includes(from))
    return dockerfileMistakes(DOCKERFILE.replaceAll(from, to), ignore, project)
  }

  test('that repeats the facts has no mistakes', () => {
    assert.deepEqual(mistakes('node', 'node'), [])
  })

  const cases: [string, string, RegExp][] = [
    ['FROM node:26-slim AS build', 'FROM node:24-slim AS build', /node:24-slim AS build is not Node 26/],
    ['FROM node:26-slim AS build', 'FROM node:260 AS build', /is not Node 26/],
    ['FROM', '#', /has no FROM/],
    ['COPY migrations migrations\n', '', /does not copy migrations/],
    ['COPY bin bin', 'COPY bin gone ./', /copies gone, which does not exist/],
    ['PORT=3000', 'PORT=8080', /PORT is 8080/],
    ['EXPOSE 3000', 'EXPOSE 8080', /does not expose 3000/],
    ['HOST=', 'LICET_HOST=', /LICET_HOST is not a setting/],
    ['HOST=0.0.0.0', 'LICET_SECRET=abc', /LICET_SECRET would be readable/],
    ['production', 'development', /does not run in production/],
    ["'/health'", "'/healthz'", /does not answer \/healthz/],
    ['HEALTHCHECK', 'LABEL', /has no HEALTHCHECK/],
    ['USER node', 'USER root', /as root/],
    ['USER node\n', '', /as root/],
  ]
  for (const [from, to, expected] of cases)
    test(`with ${JSON.stringify(to)} for ${JSON.stringify(from)} is refused`, () => {
      assert.match(mistakes(from, to).join('\n'), expected)
    })

  test('cannot copy what .dockerignore leaves out', () => {
    assert.deepEqual(mistakes('node', 'node', IGNORE.replace('!src\n', '')), [
      '.dockerignore: keeps src from the Dockerfile, which copies it',
    ])
  })

  test('gets neither tests nor what nobody named', () => {
    for (const ignore of [IGNORE.replace('**/*.test.ts\n', ''), IGNORE.replace('*\n', ''), `.git\n${IGNORE}`])
      assert.match(mistakes('node', 'node', ignore).join('\n'), /must leave out everything/)
  })
})

describe('compose.yaml', () => {
  const mistakes = (from: string, to: string) => {
    assert.ok(COMPOSE.includes(from))
    return composeMistakes(COMPOSE.replaceAll(from, to), project)
  }

  test('that repeats the facts has no mistakes', () => {
    assert.deepEqual(mistakes('licet', 'licet'), [])
  })

  const cases: [string, string, RegExp][] = [
    ['postgres:18', 'postgres:17', /PostgreSQL 17 is not 18/],
    ['image: postgres:18', 'image: licet', /has no PostgreSQL/],
    ['3000:3000', '3000:8080', /publishes 8080/],
    ['DATABASE_URL', 'DB_URL', /sets no DATABASE_URL[\s\S]*DB_URL is not a setting/],
    [`\${LICET_SECRET:-}`, 'abcdef', /LICET_SECRET must come from the environment/],
    [':?Set it', ':-secret', /PGPASSWORD must not have a default password/],
  ]
  for (const [from, to, expected] of cases)
    test(`with ${JSON.stringify(to)} for ${JSON.stringify(from)} is refused`, () => {
      assert.match(mistakes(from, to).join('\n'), expected)
    })
})

describe('the workflow', () => {
  const WORKFLOW = `permissions:
  contents: read

jobs:
  ci:
    steps:
      - uses: actions/setup-node@v5
        with:
          node-version-file: .nvmrc
      - run: bash .ci/run
`
  const mistakes = (from: string, to: string, nvmrc = '26.10.0\n') => {
    assert.ok(WORKFLOW.includes(from))
    return workflowMistakes(WORKFLOW.replace(from, to), nvmrc, project)
  }

  test('that runs .ci/run on the pinned Node has no mistakes', () => {
    assert.deepEqual(mistakes('ci', 'ci'), [])
  })

  test('needs the Node that package.json pins', () => {
    assert.match(mistakes('ci', 'ci', '24.16.0').join(), /24\.16\.0 is not 26\.10\.0/)
  })

  const cases: [string, string, RegExp][] = [
    ['bash .ci/run', 'npm test', /must run/],
    ['      - run: bash', '      - run: npm ci\n      - run: bash', /nothing else/],
    ['node-version-file: .nvmrc', 'node-version: 20', /take Node from/],
    ['contents: read', 'contents: write', /permission/],
    ['contents: read', 'contents: read\n  packages: read', /permission/],
    ['  ci:\n', '  ci:\n    permissions:\n      issues: write\n', /permission/],
  ]
  for (const [from, to, expected] of cases)
    test(`with ${JSON.stringify(to)} for ${JSON.stringify(from)} is refused`, () => {
      assert.match(mistakes(from, to).join('\n'), expected)
    })
})
