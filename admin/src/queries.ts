import { LicetError, UnauthorizedError } from '@licet/client'
import { QueryCache, QueryClient } from '@tanstack/react-query'

/** Sends whoever is no longer signed in to the sign-in, and back to the same place afterwards. */
function signInAgain(error: unknown): void {
  if (!(error instanceof UnauthorizedError)) return
  location.assign(`/sign-in?return_to=${encodeURIComponent(location.pathname + location.search)}`)
}

/** What was read is shown at once, and renewed behind it. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: signInAgain }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the service refused is refused again; the client repeats what may help.
      retry: (count, error) => !(error instanceof LicetError) && count < 1,
    },
  },
})
