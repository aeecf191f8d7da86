-- Companies that their owner wants to be deleted: they sell nothing from then on, and are deleted when the day has come. What the
-- law asks a seller to keep, such as invoices, stays some years longer.
set local lock_timeout = '10s';

-- The day, beside what a sale reads of the company anyway. Null: nobody asked for it.
alter table companies add column deletion_due_at timestamptz(0);

create table company_deletions (
  company_id bigint primary key references companies (id),
  -- Who asked for it. The user is deleted with the company.
  requested_by text not null,
  requested_at timestamptz(0) not null,
  due_at timestamptz(0) not null,
  -- Until when what has to be kept by law is kept.
  kept_until timestamptz(0) not null,
  -- When the work began, when everything but what has to be kept was gone, and when that was gone, too.
  started_at timestamptz(0),
  deleted_at timestamptz(0),
  ended_at timestamptz(0)
);

create index company_deletions_open on company_deletions (due_at) where ended_at is null;
