import { createClient } from '@licet/client'

/** The API as the signed-in user. The cookie of the session goes along; the page holds no token. */
export const api = createClient({ baseUrl: location.origin, session: true, maxRetries: 1 })
