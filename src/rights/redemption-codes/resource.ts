import { createHandler, doneOnce } from '#platform/jobs/handlers.ts'
import type { Resource } from '#platform/resource.ts'
import { sendGift } from './gifts/commands.ts'
import { SEND_GIFT } from './gifts/jobs.ts'
import { createGiftLinks } from './gifts/links.secrets.ts'
import { redeemRoutes, redemptionCodeRoutes } from './routes.ts'
import { Redemption, RedemptionCode, RedemptionGift } from './schema.ts'

export const redemptionCodes: Resource = {
  tags: [{ name: 'Redemption codes', description: 'Codes that give content to whoever redeems them.' }],
  schemas: [RedemptionGift, RedemptionCode, Redemption],
  routes: [redemptionCodeRoutes],
  appRoutes: [redeemRoutes],
  jobs: ({ db, clock, vault, baseUrl }) => {
    const links = createGiftLinks(vault)
    return [
      createHandler(
        SEND_GIFT,
        doneOnce(db, (tx, { companyId, data }) =>
          sendGift(tx, { companyId, giftId: data.gift_id, baseUrl, links }, clock.of(companyId)),
        ),
      ),
    ]
  },
}
