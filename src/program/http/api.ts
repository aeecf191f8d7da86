import { SCOPES } from '#apps/oauth/scopes.facts.ts'
import type { ApiDescription } from '#platform/http/openapi/openapi.ts'
import { VERSION } from '#program/version.ts'
import { RESOURCES } from '../../resources.ts'

/** The part of the OpenAPI document about the whole API; the routes add the rest. */
export const api: ApiDescription = {
  title: 'Licet',
  version: VERSION,
  description:
    'Sells digital content, physical goods and services, and controls access to content through licenses.\n\nBodies are JSON. A single resource is wrapped in a key named after it, a list in the plural. Times are GMT, `YYYY-MM-DDThh:mm:ss`. Money is in cents.',
  tags: RESOURCES.flatMap(({ tags }) => tags ?? []),
  scopes: SCOPES,
  oauth2: {
    description:
      'The app sends a user to the prompt and gets a `code`, which is a refresh token, exchanges it for an access token and the next refresh token, and keeps that one.',
    authorizationUrl: '/oauth2/auth',
    tokenUrl: '/token',
  },
  session: {
    cookie: '__Host-licet_session',
    description:
      'The cookie that a user gets at `/sign-in`; without https it is called `licet_session`. It opens the endpoints below `/admin/api`, which are for the pages of the service itself: most of the endpoints of apps (`x-users-path` of an operation has the path), and a few more. A change needs the `Origin` of the service. A page that names the company it shows in `Licet-Company` gets 409 (`company_switched`) once the user has gone on to another one. The user, or the user who let an app in, needs the permissions in `x-permissions`.',
  },
  prefixes: { apps: '/api', users: '/admin/api' },
  errorSentence: 'A sentence that a shop owner can read.',
  examples: {
    nextPage: 'https://shop.example.com/api/products.json?limit=50&since_id=1050',
    missingScope: {
      error: 'This needs the scope products, which the access token does not have.',
      reason: 'scope_missing',
    },
    notFound: { error: 'There is no product 4711.', reason: 'product_not_found' },
    validationFailed: {
      error: 'Product type is required.',
      reason: 'field_required',
      errors: { product_type: ['is required'] },
    },
  },
}
