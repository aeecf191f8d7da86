import { useMay, useSession } from '../session/session.ts'
import { MENU, SETTINGS } from './menu.ts'

/** The screens of every day, for those who may use the service. */
export function useMenu() {
  return useMay('web_access') ? MENU : []
}

/** The settings that the user may change. */
export function useSettings() {
  const { permissions } = useSession().user
  return SETTINGS.filter(({ permission }) => permissions.web_access === 1 && permissions[permission] === 1)
}
