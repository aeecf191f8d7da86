import type { Source } from '../bodies.ts'
import { operationsOf } from '../document.ts'
import type { CreateGroup } from '../group.ts'
import { requestFor, requestSparing } from '../operations.ts'

/** What the service's own pages call, with the session of a user. */
export const adminApi: CreateGroup = ({ scene, random, document, known }) => {
  const operations = operationsOf(document).flatMap((operation) =>
    operation.usersPath === undefined ? [] : { ...operation, path: operation.usersPath },
  )
  const source: Source = { document, random, known, wildness: 0 }
  return {
    name: 'admin api',
    share: 14,
    next() {
      const request = requestSparing(scene.ownerPaths, () => requestFor(source, random.pick(operations)))
      const { headers } = request
      headers.cookie = random.often(0.97) ? scene.owner.cookie : random.pick(['', 'licet_session=x', '=;;='])
      headers.origin = random.often(0.97) ? scene.url : random.pick(['null', 'http://evil.example', '', 'x'])
      return { request, take: ({ text }) => known.learn(request.path, text) }
    },
    proofs: {
      'something was read with a session': ({ method }, { status }) => method === 'GET' && status === 200,
      'something was changed with a session': ({ method }, { status }) =>
        method !== 'GET' && (status === 200 || status === 201),
      'another origin was refused': (_request, { status }) => status === 403,
    },
  }
}
