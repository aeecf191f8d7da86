import { machineClock, nowInSeconds } from '#platform/clock.ts'
import type { Db, Tx } from '#platform/db/database.ts'
import { noTestClock } from './errors.ts'
import { timeAt } from './rules.ts'
import type { ClockState } from './state.ts'

export function testClocksOf(db: Db, companyId: number) {
  return db.selectFrom('test_clocks').where('test_clocks.company_id', '=', companyId)
}

/** The time of one company, for a process that has no clock of all companies, such as a command. */
export async function readCompanyTime(db: Db, companyId: number): Promise<Date> {
  const clock = await testClocksOf(db, companyId).select(['ahead_ms', 'stands_at']).executeTakeFirst()
  const machine = nowInSeconds(machineClock)
  return clock === undefined ? machine : timeAt(clock, machine)
}

/** The clocks of all sandboxes: there are few, and every process knows them. */
export function readTestClocks(db: Db): Promise<Pick<ClockState, 'company_id' | 'ahead_ms' | 'stands_at'>[]> {
  return db.selectFrom('test_clocks').select(['company_id', 'ahead_ms', 'stands_at']).execute()
}

export function findTestClock(db: Db, companyId: number): Promise<ClockState | undefined> {
  return testClocksOf(db, companyId).selectAll().executeTakeFirst()
}

/** The clock of a company; a company that is no sandbox has none. */
export async function getTestClock(db: Db, companyId: number): Promise<ClockState> {
  const clock = await findTestClock(db, companyId)
  if (clock === undefined) throw noTestClock()
  return clock
}

export async function lockTestClock(tx: Tx, companyId: number): Promise<ClockState> {
  const clock = await testClocksOf(tx, companyId).selectAll().forNoKeyUpdate().executeTakeFirst()
  if (clock === undefined) throw noTestClock()
  return clock
}
