import { useMay, useSession } from '../session/session.ts'
import { EVERY_DAY, NOW_AND_THEN } from './menu.ts'

/** The screens of every day, for those who may use the service. */
export function useEveryDay() {
  return useMay('web_access') ? EVERY_DAY : []
}

/** The other screens that the user may see. */
export function useNowAndThen() {
  const { permissions } = useSession().user
  return NOW_AND_THEN.filter(({ permission }) => permissions.web_access === 1 && permissions[permission] === 1)
}
