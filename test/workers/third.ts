import { work } from '../worker.ts'

await work()
