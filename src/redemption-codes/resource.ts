import { nowInSeconds } from '#platform/clock.ts'
import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource } from '#platform/resource.ts'
import { sendGift } from './gifts/commands.ts'
import { SEND_GIFT } from './gifts/jobs.ts'
import { redeemRoutes, redemptionCodeAdminRoutes, redemptionCodeRoutes } from './routes.ts'
import { Redemption, RedemptionCode, RedemptionGift } from './schema.ts'

export const redemptionCodes: Resource = {
  tags: [{ name: 'Redemption codes', description: 'Codes that give content to whoever redeems them.' }],
  schemas: [RedemptionGift, RedemptionCode, Redemption],
  routes: [redemptionCodeRoutes, redeemRoutes],
  adminRoutes: [redemptionCodeAdminRoutes],
  jobs: ({ db, clock }) => [
    createHandler(
      SEND_GIFT,
      doneOnce(db, (tx, job) => sendGift(tx, job.companyId, job.data.gift_id, nowInSeconds(clock))),
    ),
  ],
}
