import type { Schemas } from '@licet/client'
import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'

export type TestClock = Schemas['TestClock']

const MOVING_SEEN_MS = 2000

/** The clock of a sandbox. While it moves, it is read again and again. */
export const clockQuery = queryOptions({
  queryKey: ['test clock'],
  queryFn: ({ signal }) => api.testClock.get(undefined, { signal }),
  refetchInterval: ({ state }) => (state.data?.status === 'moving' ? MOVING_SEEN_MS : false),
})

/** Moves the clock forward. Everything may be another then, so that all is read again. */
export function useMoveClock() {
  const client = useQueryClient()
  return useMutation({
    mutationFn: (move: { advance: string } | { at: string }) => api.testClock.create(move),
    onSuccess: () => client.invalidateQueries(),
  })
}
