import './test-context.ts'

// Loaded after the line above has replaced what the test runner loads.
const { findTestFiles } = await import('./files.ts')
const { work } = await import('./worker.ts')
await work(await findTestFiles(JSON.parse(process.env.LICET_TEST_WORDS ?? '[]')))
