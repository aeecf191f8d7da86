import '../test-context.ts'

const { work } = await import('../worker.ts')
await work()
