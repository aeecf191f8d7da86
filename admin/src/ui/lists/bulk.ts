import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'

/** What could not be done, and why. */
export type Failure = { id: number; title: string; why: string }

/** Does the work for one of them. Returns why it could not be done, if so. */
export type Work<Row> = (row: Row) => Promise<string | undefined>

export type Bulk<Row> = {
  /** How many are done, and of how many; undefined while nothing runs. */
  progress: { done: number; total: number } | undefined
  /** What could not be done the last time. */
  failures: readonly Failure[]
  /** Works through all of them, and returns how many went well. */
  run: (rows: readonly Row[], work: Work<Row>) => Promise<number>
  forget: () => void
}

/** Does the same with many, one after another, and goes on where one is refused. */
export function useBulk<Row extends { id: number }>(key: string, titleOf: (row: Row) => string): Bulk<Row> {
  const client = useQueryClient()
  const [progress, setProgress] = useState<Bulk<Row>['progress']>()
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const run: Bulk<Row>['run'] = async (rows, work) => {
    const failed: Failure[] = []
    setFailures([])
    for (const [done, row] of rows.entries()) {
      setProgress({ done, total: rows.length })
      const why = await work(row)
      if (why !== undefined) failed.push({ id: row.id, title: titleOf(row), why })
    }
    setProgress(undefined)
    setFailures(failed)
    await client.invalidateQueries({ queryKey: [key] })
    return rows.length - failed.length
  }
  return { progress, failures, run, forget: () => setFailures([]) }
}

/** The rows of a list that are ticked. Only what is on the screen counts: nobody changes what they do not see. */
export function useTicked<Row extends { id: number }>(shown: readonly Row[]) {
  const [ids, setIds] = useState<ReadonlySet<number>>(new Set())
  return useMemo(() => {
    const chosen = shown.filter(({ id }) => ids.has(id))
    return {
      chosen,
      isTicked: (id: number) => ids.has(id),
      isAll: shown.length > 0 && chosen.length === shown.length,
      tick: (id: number) =>
        setIds((before) => new Set(before.has(id) ? [...before].filter((each) => each !== id) : [...before, id])),
      all: () => setIds(new Set(shown.map(({ id }) => id))),
      none: () => setIds(new Set()),
    }
  }, [ids, shown])
}

export type Ticked<Row extends { id: number }> = ReturnType<typeof useTicked<Row>>
