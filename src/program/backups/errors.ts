import { problemsOf } from '#platform/errors/problem.ts'

const { defineProblem } = problemsOf('Backups')

export const backupsNotOffered = defineProblem('backups_not_offered', {
  code: 'conflict',
  message: 'Backups are made by whoever runs the service.',
  when: 'A user starts a backup, and the operator has not allowed the company to (`LICET_BACKUP_FOLDER`, `LICET_BACKUP_COMPANY`).',
  remedy: 'Ask the operator, who makes backups with `licet backup`.',
})

export const backupUnderWay = defineProblem('backup_under_way', {
  code: 'conflict',
  message: 'A backup is being made already.',
  when: 'A backup is started while another one is being made.',
  remedy: 'Wait until it is done.',
})

export const tooManyBackups = defineProblem<number>('too_many_backups', {
  code: 'conflict',
  message: (max) => `There were ${max} backups within a day, which is as many as the operator allows.`,
  when: 'More backups are started within a day than `LICET_BACKUPS_PER_DAY`.',
  remedy: 'Try again tomorrow.',
})
