-- A company with a clock of its own is a sandbox. All others have the time of the machine.
set local lock_timeout = '10s';

create table test_clocks (
  company_id bigint primary key references companies (id),
  -- How far it is ahead of the machine, while it runs.
  ahead_ms bigint not null default 0 check (ahead_ms >= 0),
  -- While it is being moved, it stands at the time of what is being done.
  stands_at timestamptz
);
