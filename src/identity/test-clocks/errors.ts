import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Sandboxes')

export const noTestClock = defineProblem('test_clock_not_found', {
  code: 'not_found',
  message: 'This company has no clock of its own: it is no sandbox.',
  when: 'The clock of a company that is no sandbox is read or moved.',
  remedy: 'Make a sandbox, and use a token of it. A company that sells to real customers never gets a clock.',
})

export const clockIsMoving = defineProblem('test_clock_moving', {
  code: 'conflict',
  message: 'The clock is being moved already.',
  when: 'The clock of a sandbox is moved while an earlier move has not come to its end.',
  remedy: 'Read the clock until its `status` is `running`.',
})

export const moveInvalid = defineFault('test_clock_move_missing', {
  message: 'or at is required, and not both',
  when: 'A move of a clock says neither how far nor where to, or says both.',
  remedy: 'Send `advance`, such as `P1M`, or `at`.',
})

export const advanceInvalid = defineFault('test_clock_advance_invalid', {
  message: 'is no duration such as P1M, P2W or P1DT12H',
  when: 'The duration of a move is not in the form of ISO 8601, or has a fraction.',
  remedy: 'Send whole years, months, days, hours, minutes and seconds, or whole weeks alone.',
})

export const targetInThePast = defineFault('test_clock_backwards', {
  message: 'is not later than the time of the sandbox',
  when: 'A clock is moved to a time that is over, or by nothing.',
  remedy: 'Move it forward. To begin anew, make another sandbox.',
})

export const targetTooFar = defineFault('test_clock_too_far', {
  message: 'is more than 2 years ahead',
  when: 'A clock is moved by more than 2 years at once.',
  remedy: 'Move it in several steps.',
})
