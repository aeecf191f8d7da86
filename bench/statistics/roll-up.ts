// Does what the worker does for the statistics, in a process of its own: each line asks for it once.
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { foldChanges } from '#orders/counts/fold.ts'
import { openDatabase } from '#platform/db/database.ts'
import { closeEndedDays } from '#visits/ended-days.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

for await (const line of createInterface({ input: process.stdin })) {
  const { host }: { host: string } = JSON.parse(line)
  const { db, close } = openDatabase({ host, user: 'licet', database: 'licet' }, { poolMax: 2 })
  const before = process.cpuUsage()
  await foldChanges(db)
  await closeEndedDays(db, new Date())
  const { user, system } = process.cpuUsage(before)
  await close()
  collect()
  console.log(JSON.stringify({ cpuSeconds: (user + system) / 1e6, heapMb: process.memoryUsage().heapUsed / 1e6 }))
}
