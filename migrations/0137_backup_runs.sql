-- Backups that users of the operator's own company have started in the admin interface.
set local lock_timeout = '10s';

create table backup_runs (
  company_id bigint not null references companies (id),
  id bigint not null generated always as identity,
  -- The email address of who started it.
  requested_by text not null,
  -- The name of the folder that it is written to.
  name text not null,
  state text not null check (state in ('waiting', 'running', 'done', 'failed')),
  -- Tables that are copied, of how many.
  done integer not null default 0,
  total integer not null default 0,
  problem text,
  created_at timestamptz(0) not null,
  finished_at timestamptz(0),
  primary key (company_id, id)
);

-- One at a time.
create unique index backup_runs_open on backup_runs (company_id) where finished_at is null;
create index backup_runs_created_at on backup_runs (company_id, created_at);
