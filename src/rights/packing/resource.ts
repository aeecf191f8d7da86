import type { Resource } from '#platform/resource.ts'
import { createDeleter, createPacker } from './pack.worker.ts'

export const packing: Resource = {
  jobs: (dependencies) => [createPacker(dependencies), createDeleter(dependencies)],
}
