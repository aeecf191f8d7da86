// Does what the worker does for the statistics, in a process of its own: each line asks for it once.
import { createInterface } from 'node:readline'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { closeEndedDays } from '#insight/visits/ended-days.worker.ts'
import { openDatabase } from '#platform/db/database.ts'
import { foldChanges } from '#selling/orders/counts/fold.commands.ts'

setFlagsFromString('--expose-gc')
const collect: () => void = runInNewContext('gc')

// The connection stays open: the CPU time of a database process that has ended can no longer be read.
let opened: ReturnType<typeof openDatabase> | undefined
for await (const line of createInterface({ input: process.stdin })) {
  const { host }: { host: string } = JSON.parse(line)
  opened ??= openDatabase({ host, user: 'licet', database: 'licet' }, { poolMax: 2 })
  const { db } = opened
  const before = process.cpuUsage()
  await foldChanges(db)
  await closeEndedDays(db, new Date())
  const { user, system } = process.cpuUsage(before)
  collect()
  console.log(JSON.stringify({ cpuSeconds: (user + system) / 1e6, heapMb: process.memoryUsage().heapUsed / 1e6 }))
}
