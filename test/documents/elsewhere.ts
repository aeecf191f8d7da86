/**
 * Commands of the documents that the test of this folder does not run itself: another test runs them, or none can.
 * `proof` is what the file of that test contains if it still does.
 */
export type Elsewhere = { command: RegExp } & ({ by: string; proof: string } | { never: string })

const NEEDS_A_MACHINE = 'it changes a whole machine; scripts/check-deployment.ts checks the files that it uses'
const NEEDS_DOCKER = 'it needs Docker; scripts/check-deployment.ts checks the files that it uses'

export const ELSEWHERE: readonly Elsewhere[] = [
  { command: /^npm ci$/, by: '.ci/run', proof: 'step npm ci' },
  { command: /^npm test -- \w/, by: 'test/runner/run.test.ts', proof: "run('runner/times'" },
  { command: /^(\S+=\S+ )?npm test( |$)/, by: '.ci/run', proof: 'step npm test' },
  { command: /^npm run check$/, by: '.ci/run', proof: 'step npm run --silent check' },
  { command: /^npm run check -- /, by: 'scripts/check.test.ts', proof: "check('links')" },
  { command: /^\.ci\/run$/, never: 'it runs everything, this test among it' },
  { command: /^npm run generate$/, by: 'scripts/check.ts', proof: 'checkGenerated' },
  { command: /^npm run bench($| )/, by: 'bench/smoke/groups.ts', proof: "bench('--smoke'" },
  { command: /^npm run fuzz($| )/, by: 'fuzz/fuzz.test.ts', proof: 'test(' },
  { command: /^npm run proof($| )/, by: 'proof/run.test.ts', proof: "'--short'" },
  { command: /^npm run release /, by: 'scripts/release.test.ts', proof: 'release' },
  { command: /^npm start$/, by: 'test/start/stopping.test.ts', proof: "start(['start', '--silent']" },
  { command: /^npm run dev$/, by: 'test/documents/dev.test.ts', proof: "scriptOf('dev')" },
  {
    command: /^npm run build -w client$/,
    by: 'test/client/package.test.ts',
    proof: "run(tsc, ['--project', join(ROOT, 'client')",
  },
  { command: /^npm pack -w client$/, by: 'test/client/package.test.ts', proof: "'pack'" },
  { command: /^npm (publish|link)/, never: 'it publishes a package, or changes the programs of a machine' },
  { command: /^node --test --test-global-setup=/, by: '.ci/run', proof: '--test-global-setup=test/setup.ts' },
  { command: /^git (push|pull)/, never: 'it needs a repository elsewhere' },
  { command: /^(sudo|cd \/opt\/licet|curl https:\/\/shops\.example\.com)/, never: NEEDS_A_MACHINE },
  { command: /^docker /, never: NEEDS_DOCKER },
  { command: /^echo "POSTGRES_PASSWORD=/, never: NEEDS_DOCKER },
  { command: /^mv data /, never: 'it is about the data of a real installation' },
  { command: /^(\S+=\S+ )*(npx )?licet serve/, by: 'test/start/program.ts', proof: "['serve']" },
  { command: /^(npx )?licet worker$/, by: 'test/start/mails.test.ts', proof: "'worker'" },
  { command: /^(\S+=\S+ )?(npx )?licet restore( |$)/, by: 'test/start/backup.test.ts', proof: "'restore'" },
  { command: /^(npx )?licet drill /, by: 'test/start/stored-backup.test.ts', proof: "'drill'" },
  { command: /^(npx )?licet listen( |$)/, by: 'test/start/webhooks.test.ts', proof: "'listen'" },
  { command: /^(npx )?licet secret renew( |$)/, by: 'src/program/boot/secret.test.ts', proof: "['secret', 'renew']" },
  { command: /^licet app remove /, by: 'test/start/apps.test.ts', proof: "'remove'" },
  { command: /^licet group (show|list) /, by: 'test/start/memberships.test.ts', proof: "'group', 'show'" },
  { command: /^licet plan /, by: 'test/start/memberships.test.ts', proof: "'plan', 'create'" },
  { command: /^licet subscription /, by: 'test/start/memberships.test.ts', proof: "'subscription', 'create'" },
  { command: /^licet reviews (approve|reject) /, by: 'test/start/terms.test.ts', proof: "'reviews', 'approve'" },
  { command: /^licet mails send/, by: 'test/start/mails.test.ts', proof: "'send'" },
  { command: /grant_type=refresh_token/, by: 'src/apps/oauth/exchange/exchange.test.ts', proof: 'refresh_token' },
  { command: /grant_type=login_token/, by: 'src/people/player-tokens/login-grant.test.ts', proof: 'login_token' },
  { command: /\/mark_paid\.json/, by: 'src/shop/checkout/checkout.test.ts', proof: '/mark_paid.json' },
  { command: /^curl -C -$/, by: 'src/rights/content-files/delivery/delivery.test.ts', proof: 'range: ' },
]
