import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Shop pages')

export const formFromElsewhere = defineProblem('form_from_elsewhere', {
  code: 'forbidden',
  message: 'This form was not sent from a page of this shop: open the shop and try again.',
  when: 'A form of a shop comes from a page of another site, or does not say where it comes from.',
  remedy: 'Send the form from a page of the shop. Apps use the endpoints under `/api`.',
})

export const previewOnly = defineProblem('preview_only', {
  code: 'forbidden',
  message: 'This is a preview: nothing can be bought or sent here.',
  when: 'A form is sent from a preview of a shop.',
  remedy: 'Save the changes, and open the shop itself.',
})

export const shopPageNotFound = defineProblem('shop_page_not_found', {
  code: 'not_found',
  message: 'The address is not quite right, or what was here is gone.',
  when: 'A browser asks for a page that the shop does not have.',
  remedy: 'Check the address.',
})

export const themeBroken = defineProblem('theme_broken', {
  code: 'unavailable',
  message: 'This page cannot be shown right now.',
  when: 'A template of the default theme has a mistake, and no earlier version of it was shown in this process. In place of a page of another theme, that of the default theme is shown.',
  remedy: 'Open the shop below `/shop/{id}` while you are signed in: the page names the file and the line.',
})
