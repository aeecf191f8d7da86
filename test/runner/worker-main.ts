import './test-context.ts'

// Loaded after the line above has replaced what the test runner loads.
const { findTestFiles } = await import('./files.ts')
const { work } = await import('./worker.ts')
const { recordStatements } = await import('../growth/seen.ts')
const { explainSeen } = await import('../growth/at-the-end.ts')
const words: string[] = JSON.parse(process.env.LICET_TEST_WORDS ?? '[]')
// `npm test -- scans orders` explains what the tests of orders send, too.
const isExplained = words.some((word) => word.endsWith('scans'))
if (isExplained) recordStatements()
await work(await findTestFiles(words), isExplained ? { atTheEnd: explainSeen } : {})
