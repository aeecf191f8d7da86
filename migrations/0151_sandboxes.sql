-- A sandbox is a company of its own kind from its first day to its last. Its time is in test_clocks.
set local lock_timeout = '10s';

alter table companies
  add column sandbox boolean not null default false,
  -- Whose users work in it; null: it has users of its own.
  add column sandbox_of bigint references companies (id) on delete set null,
  add check (sandbox or sandbox_of is null);
create index companies_sandbox_of on companies (sandbox_of) where sandbox_of is not null;

alter table test_clocks
  -- Where the clock is being moved to; null: it runs.
  add column moves_to timestamptz,
  -- Where the last move began, and where it ended or was to end.
  add column moved_from timestamptz,
  add column moved_to timestamptz,
  -- Why the last move ended before its goal.
  add column stopped_because text;
