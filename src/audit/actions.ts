/** Every action in the audit log, in words that the company reads. */
export const ACTIONS = [
  'first run',
  'signed in',
  'sign-in refused',
  'signed out',
  'signed out everywhere',
  'password reset asked for',
  'password reset',
  'password changed',
  'second factor turned on',
  'second factor turned off',
  'recovery codes made',
  'user invited',
  'user changed',
  'permissions changed',
  'invitation accepted',
  'app created',
  'app changed',
  'app secret rotated',
  'app allowed',
  'app denied',
  'app permission removed',
  'token exchanged',
  'token exchange refused',
  'token revoked',
] as const

export type Action = (typeof ACTIONS)[number]
