import { type Static, Type } from 'typebox'
import { nullable, Time } from '#platform/wire/schema.ts'

const Backup = Type.Object({
  name: Type.String({ description: 'Name of its folder.', examples: ['licet-backup-2026-11-18T09-00-00'] }),
  created_at: Time('When it was made.'),
  version: Type.String({ description: 'The version of the service that made it.' }),
  rows: Type.Integer({ minimum: 0, description: 'Rows of all tables.' }),
  files: Type.Integer({ minimum: 0, description: 'Files, such as films and pictures.' }),
  bytes: nullable(Type.Integer({ minimum: 0, description: 'Its size. Null: an older version did not note it.' })),
  checked_at: nullable(Time('When it was read again and compared. Null: nobody has.')),
  damaged: Type.Boolean({ description: 'It cannot be restored.' }),
})

const BackupRun = Type.Object({
  state: Type.Enum(['waiting', 'running', 'done', 'failed'], { description: 'How it goes.' }),
  name: Type.String({ description: 'Name of its folder.' }),
  requested_by: Type.String({ description: 'Email address of who started it.' }),
  done: Type.Integer({ minimum: 0, description: 'Tables that are copied.' }),
  total: Type.Integer({ minimum: 0, description: 'Tables in all; 0: not known yet.' }),
  problem: nullable(Type.String({ description: 'Why it failed. Null: it has not.' })),
  created_at: Time('When it was started.'),
  finished_at: nullable(Time('When it ended. Null: it has not.')),
})

export const Backups = Type.Object(
  {
    available: Type.Boolean({
      description: 'The operator lets users of this company see and start backups. False: the lists are empty.',
    }),
    backups: Type.Array(Backup, { description: 'The latest 100, newest first.' }),
    run: nullable(
      Type.Unsafe<Static<typeof BackupRun>>({
        ...BackupRun,
        description: 'The last one that was started here. Null: none was.',
      }),
    ),
    left_today: Type.Integer({ minimum: 0, description: 'How many more can be started within a day.' }),
  },
  { $id: 'Backups' },
)

export type Backups = Static<typeof Backups>
export type Backup = Static<typeof Backup>
export type BackupRun = Static<typeof BackupRun>
