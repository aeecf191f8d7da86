import { ChangedError, LicetError } from '@licet/client'
import { MutationCache, QueryCache, QueryClient } from '@tanstack/react-query'
import { onAnswer, onChange, onFailedChange, onFailedRead } from './session/interruption.tsx'

declare module '@tanstack/react-query' {
  interface Register {
    mutationMeta: {
      /** The screen has no form of its own that keeps what was typed: nothing is read anew under it. */
      keepsWhatIsShown?: true
    }
  }
}

/** What was read is shown at once, and renewed behind it. */
export const queries = new QueryClient({
  queryCache: new QueryCache({ onError: onFailedRead, onSuccess: onAnswer }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, { meta }) => {
      onFailedChange(error)
      // Somebody else was faster: their version is read, so that it can be shown.
      if (error instanceof ChangedError && !meta?.keepsWhatIsShown) void queries.invalidateQueries()
    },
    onSuccess: onChange,
  }),
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // What the service refused is refused again; the client repeats what may help.
      retry: (count, error) => !(error instanceof LicetError) && count < 1,
    },
  },
})
