import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox'
import { Type } from 'typebox'
import { sendDocument } from '#platform/http/answers/answers.ts'
import { Fields } from '#platform/http/answers/lists.ts'
import type { ResourceOptions } from '#platform/http/resource.ts'
import { named, PathPart } from '#platform/wire/schema.ts'
import { asciiJson } from '#platform/wire/times.ts'
import { readBalances } from '../queries.ts'
import { presentMonth, presentStatement } from './present.ts'
import { readMonths, readStatementLines, readStatementTotals, readUtcOffset } from './queries.ts'
import { readMonth } from './rules.ts'
import { LedgerBalance, LedgerMonth, LedgerStatement } from './schema.ts'

const config = { access: { scope: 'orders', permissions: ['RepAccounting'] } } as const
const tags = ['Ledger']
const Ref = Type.Object({ month: PathPart('The month.', ['2026-05']) })

export const ledgerStatementRoutes: FastifyPluginCallbackTypebox<ResourceOptions> = (app, { db }, done) => {
  app.get(
    '/ledger_balances.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listLedgerBalances',
        summary: 'List what is owed now',
        description: 'What all entries with each company come to, by currency.',
        response: { 200: Type.Object({ ledger_balances: Type.Array(named(LedgerBalance)) }) },
      },
    },
    async ({ caller }) => ({ ledger_balances: await readBalances(db, caller.companyId) }),
  )

  app.get(
    '/ledger_statements.json',
    {
      config,
      schema: {
        tags,
        operationId: 'listLedgerStatements',
        summary: 'List the months in which something was booked',
        description: 'The newest first, each once in every currency.',
        response: { 200: Type.Object({ ledger_statements: Type.Array(named(LedgerMonth)) }) },
      },
    },
    async ({ caller }) => ({ ledger_statements: (await readMonths(db, caller.companyId)).map(presentMonth) }),
  )

  app.get(
    '/ledger_statements/:month.json',
    {
      config,
      schema: {
        tags,
        operationId: 'getLedgerStatement',
        summary: 'Read the statement of a month',
        description: 'What was booked with each company, and what is owed at the end of the month.',
        params: Ref,
        querystring: Fields,
        response: { 200: Type.Object({ ledger_statement: named(LedgerStatement) }) },
      },
    },
    async (request, reply) => {
      const { companyId } = request.caller
      const month = readMonth(request.params.month, await readUtcOffset(db, companyId))
      const [lines, totals] = await Promise.all([
        readStatementLines(db, companyId, month),
        readStatementTotals(db, companyId, month),
      ])
      return sendDocument(request, reply, 'ledger_statement', asciiJson(presentStatement(month, lines, totals)))
    },
  )

  done()
}
