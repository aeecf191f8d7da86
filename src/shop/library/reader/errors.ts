import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Shop pages')

export const bookClosed = defineProblem('book_closed', {
  code: 'forbidden',
  message: 'This book is no longer open: go back to My Content and open it again.',
  when: 'The address of an open book is forged or has expired, or its customer has signed out.',
  remedy: 'Open the book again in the shop.',
})

export const bookPartNotFound = defineProblem('book_part_not_found', {
  code: 'not_found',
  message: 'The book has no such part.',
  when: 'A reader asks for a file that is not in the book, or that is too large.',
  remedy: 'Check the book with a validator such as EPUBCheck.',
})
