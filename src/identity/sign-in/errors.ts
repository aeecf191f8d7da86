import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Account')

export const sessionEnded = defineProblem('session_ended', {
  code: 'unauthorized',
  message: 'You were signed out meanwhile: sign in again.',
  headers: () => ({ 'www-authenticate': 'Cookie realm="licet"' }),
  when: 'The session has ended while its user changed how they sign in, for example because the password was reset.',
  remedy: 'Sign in at `/sign-in`.',
})

export const passwordWrong = defineFault('current_password_wrong', {
  message: 'is not your current password',
  when: 'A change of how a user signs in comes with a wrong password.',
  remedy: 'Ask the user for the password again.',
})

export const tooManyPasswords = defineProblem<number>('too_many_passwords', {
  code: 'rate_limited',
  message: (seconds) => `Too many wrong passwords: try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  headers: (seconds) => ({ 'retry-after': String(seconds) }),
  when: 'The signed-in user has sent a wrong password several times.',
  remedy: 'Wait for `Retry-After` seconds.',
})

export const codeWrong = defineFault('second_factor_code_wrong', {
  message: 'is not the code that the app shows now',
  when: 'A second factor is turned on, or asked for again, with a code that its secret does not give at this time.',
  remedy: 'Ask the user for the current code of the app.',
})

export const secondFactorOn = defineProblem('second_factor_on', {
  code: 'conflict',
  message: 'Two-step sign-in is on already.',
  when: 'A second factor is prepared while one is on.',
  remedy: 'Turn it off first.',
})

export const ownSecondFactorOff = defineFault('own_second_factor_off', {
  message: 'can be required of everybody once you have turned it on for yourself',
  when: 'Somebody who signs in with a password alone requires a second factor of everybody, and would lock themselves out.',
  remedy: 'Turn two-step sign-in on with `POST /admin/api/second_factor.json` first.',
})

export const secondFactorOff = defineProblem('second_factor_off', {
  code: 'conflict',
  message: 'Two-step sign-in is off.',
  when: 'Recovery codes are asked for while there is no second factor, or one is confirmed that was not prepared.',
  remedy: 'Turn two-step sign-in on with `POST /admin/api/second_factor.json`.',
})
