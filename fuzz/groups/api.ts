import type { Source } from '../bodies.ts'
import { operationsOf } from '../document.ts'
import type { CreateGroup } from '../group.ts'
import { requestFor, requestSparing } from '../operations.ts'

/** Everything in the OpenAPI document that apps call, mostly with the token of one company and the ids of all. */
export const api: CreateGroup = ({ scene, random, document, known }) => {
  const operations = operationsOf(document).filter(({ path }) => !path.startsWith('/admin/api/'))
  const source: Source = { document, random, known, wildness: 0 }
  return {
    name: 'api',
    share: 38,
    next() {
      const request = requestSparing(scene.ownerPaths, () => requestFor(source, random.pick(operations)))
      const [first = '', ...others] = scene.tokens
      const token = random.often(0.9) ? first : random.pick([...others, 'wrong', '', 'x'.repeat(3000)])
      request.headers.authorization = `Bearer ${token}`
      return { request, take: ({ text }) => known.learn(request.path, text) }
    },
    proofs: {
      'something was read': ({ method }, { status }) => method === 'GET' && status === 200,
      'something was created': ({ method }, { status }) => method === 'POST' && status === 201,
      'an attribute was refused': (_request, { status }) => status === 422,
      'an id of another company was not found': (_request, { status }) => status === 404,
    },
  }
}
