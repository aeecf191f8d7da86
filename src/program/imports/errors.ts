import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem, defineFault } = problemsOf('Imports')

export const importNotFound = defineProblem<string>('import_not_found', {
  code: 'not_found',
  message: (ref) => `There is no import ${ref}.`,
  when: 'The id is wrong, the import belongs to another company, or its three days are over.',
  remedy: 'Send the file again.',
})

export const fileUnreadable = defineProblem<string>('import_file_unreadable', {
  code: 'validation_failed',
  message: (sentence) => `${sentence}.`,
  when: 'A file that is to be imported is empty, is no CSV, or names no columns.',
  remedy: 'Save it as CSV with the names of the columns in its first line, and send it again.',
})

export const importUnderWay = defineProblem('import_under_way', {
  code: 'conflict',
  message: 'The file is being imported.',
  when: 'An import is changed, started again or deleted while it is being imported.',
  remedy: 'Read it again until its `state` is another one.',
})

export const alreadyImported = defineProblem('import_done', {
  code: 'conflict',
  message: 'The file was imported already.',
  when: 'An import that is done is changed, checked or started again.',
  remedy: 'Send the file again: what is the same already stays untouched.',
})

export const undoTooLate = defineProblem('import_undo_over', {
  code: 'conflict',
  message: 'This import cannot be undone: it was not imported, or more than a day ago.',
  when: 'An import is undone that was not imported yet, or that was imported more than a day ago.',
  remedy: 'Change or delete what it has created by hand.',
})

export const tooManyImports = defineProblem<number>('too_many_imports', {
  code: 'conflict',
  message: (max) => `There are ${max} files already. Delete one first.`,
  when: 'A company has as many files to import as it can have.',
  remedy: 'Delete one that is no longer needed.',
})

export const importKindMissing = defineFault('import_kind_missing', {
  message: 'has to be chosen first',
  when: 'The columns of a file do not tell what it is about, and nobody has said so.',
  remedy: 'Set `kind`.',
})

export const saleProductUnknown = defineFault('sale_product_unknown', {
  message: 'is no product of this shop',
  when: 'A sale of another shop is about a product whose name no product of this shop has.',
  remedy: 'Name a product for it in `matches`, or leave it out.',
})

export const importFieldUnknown = defineFault<string>('import_field_unknown', {
  message: (kind) => `is no field of ${kind}`,
  when: 'A column or a line names a field that such a file does not have.',
  remedy: 'Choose one of `fields`.',
})

export const importFieldTwice = defineFault('import_field_twice', {
  message: 'is the field of another column already',
  when: 'Two columns of a file are to fill the same field.',
  remedy: 'Leave one of them out.',
})

export const importColumnUnknown = defineFault('import_column_unknown', {
  message: 'is no column of the file',
  when: 'A column is named that the file does not have.',
  remedy: 'Name one of `columns`.',
})

export const consentSourceMissing = defineFault('consent_source_missing', {
  message: 'must say where the consent comes from',
  when: 'A file says when somebody agreed to get the newsletter, and neither the line nor the file says where.',
  remedy:
    'Name the source in the line, or for the whole file in `defaults`. Without a date, the person is asked by mail.',
})

export const consentDateMissing = defineFault('consent_date_missing', {
  message: 'must say when the person agreed',
  when: 'A file says where a consent comes from, and neither the line nor the file says when it was given.',
  remedy:
    'Name the day in the line, or for the whole file in `defaults`. Without a source, the person is asked by mail.',
})

export const tooManyAsked = defineFault<number>('too_many_asked', {
  message: (max) => `must say when the person agreed: imports ask at most ${max} people a day by mail`,
  when: 'Imports of the company have asked as many people by mail within a day as they may.',
  remedy: 'Leave the lines without a consent out, and import them on another day.',
})
