-- What subscriptions come to on each day, in the time zone of the company. Each line of a timeline says what it changes; the worker
-- adds the lines up, and a read adds the rest.
set local lock_timeout = '10s';

alter table subscription_changes
  -- The day in the time zone of the company, and the numbers that change with it; null: none do.
  add column day date,
  add column record bigint[],
  -- Was it added to the days?
  add column counted boolean not null default false;

create index subscription_changes_uncounted on subscription_changes (company_id, id)
  where not counted and record is not null;

create table subscription_days (
  company_id bigint not null references companies (id),
  day date not null,
  -- The numbers in the order of RECORD_FIELDS in src/selling/subscriptions/statistics/rules.ts.
  record bigint[] not null,
  primary key (company_id, day)
);
