import { machineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db } from '#platform/db/database.ts'
import { timeAt } from './rules.ts'

export function testClocksOf(db: Db, companyId: number) {
  return db.selectFrom('test_clocks').where('test_clocks.company_id', '=', companyId)
}

/** The time of one company, for a process that has no clock of all companies, such as a command. */
export async function readCompanyTime(db: Db, companyId: number): Promise<Date> {
  const clock = await testClocksOf(db, companyId).select(['ahead_ms', 'stands_at']).executeTakeFirst()
  const machine = nowInSeconds(machineClock)
  return clock === undefined ? machine : timeAt(clock, machine)
}
