import { problemsOf } from '../errors/problem.ts'

const { defineProblem } = problemsOf('Pages')

export const pageNotFound = defineProblem('page_not_found', {
  code: 'not_found',
  message: 'The address is not quite right, or what was here is gone.',
  when: 'A browser asks for a page that does not exist.',
  remedy: 'Check the address.',
})

export const formTypeUnsupported = defineProblem('form_type_unsupported', {
  code: 'unsupported_media_type',
  message: 'A form is sent as application/x-www-form-urlencoded.',
  when: 'A page for people gets a body that is not a form.',
  remedy: 'Use the endpoints under `/api`, which take JSON.',
})

export const formExpired = defineProblem('form_expired', {
  code: 'forbidden',
  message: 'This page was open for too long, or cookies are turned off: go back, reload it and try again.',
  when: 'A form comes without its cookie, or with the token of an older page.',
  remedy: 'Reload the page, and send the form again.',
})

export const sessionRequired = defineProblem('session_required', {
  code: 'unauthorized',
  message: 'Sign in first.',
  headers: () => ({ 'www-authenticate': 'Cookie realm="licet"' }),
  when: 'The request has no session cookie, or its session has ended. Access tokens do not count below `/admin/api`.',
  remedy: 'Sign in at `/sign-in`. Apps use the endpoints under `/api`.',
})

export const secondFactorMissing = defineProblem('second_factor_missing', {
  code: 'forbidden',
  message: 'Your company asks everybody to sign in in two steps: set that up first, under Settings.',
  when: 'The company requires a second factor of everybody, and the user who has signed in has none.',
  remedy: 'Turn two-step sign-in on with `POST /admin/api/second_factor.json`.',
})

export const foreignOrigin = defineProblem('foreign_origin', {
  code: 'forbidden',
  message: 'This change did not come from a page of the service itself.',
  when: 'A change below `/admin/api` has no `Origin` of the service, and no `Sec-Fetch-Site: same-origin` in place of it.',
  remedy: 'Send the request from a page of the service. Apps use the endpoints under `/api`.',
})

export const companySwitched = defineProblem('company_switched', {
  code: 'conflict',
  message: 'You have gone on to another company, and this page still shows the one before: reload it.',
  when: 'A request below `/admin/api` names a company in `Licet-Company` that is not the one the user works for.',
  remedy: 'Reload the page, or switch back with `POST /admin/api/session/switch.json`.',
})

export const httpsRequired = defineProblem('https_required', {
  code: 'forbidden',
  message:
    'This page takes passwords, so it opens over https only. If it is behind a proxy that does that, set LICET_BASE_URL to the https address.',
  when: 'A page for passwords is opened over http from another machine.',
  remedy: 'Use https, and set `LICET_BASE_URL` to the https address.',
})
