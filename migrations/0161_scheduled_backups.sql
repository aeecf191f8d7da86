-- Backups that the worker makes by itself. The time at which one is due belongs to one worker.
set local lock_timeout = '10s';

create table scheduled_backups (
  due_at timestamptz(0) primary key,
  -- The name of the backup in its target.
  name text not null,
  target text not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  -- Why it failed; null: it has not.
  problem text,
  bytes bigint,
  -- How many older ones were removed after it.
  removed integer,
  started_at timestamptz(0),
  finished_at timestamptz(0)
);
