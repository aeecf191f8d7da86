-- What the platform keeps for every resource: events written with the change they tell of, jobs that are claimed with
-- a lease, counters, and the answers of requests that carried an Idempotency-Key.
set local lock_timeout = '10s';

create table events (
  id bigint generated always as identity primary key,
  company_id bigint not null references companies (id),
  topic text not null,
  data json not null,
  created_at timestamptz not null,
  dispatched_at timestamptz
);

create index events_undispatched on events (id) where dispatched_at is null;

create table jobs (
  id bigint generated always as identity primary key,
  company_id bigint references companies (id),
  kind text not null,
  data json not null,
  due_at timestamptz not null,
  attempts integer not null default 0,
  last_error text,
  failed_at timestamptz,
  created_at timestamptz not null
);

create index jobs_due on jobs (due_at, id) where failed_at is null;

-- Several slots a counter, so that writers of one company don't queue behind one row; a count is their sum.
create table counters (
  company_id bigint not null references companies (id),
  resource text not null,
  slot smallint not null,
  amount bigint not null,
  primary key (company_id, resource, slot)
) with (fillfactor = 50);

create table idempotency_keys (
  company_id bigint not null references companies (id),
  app_id bigint not null,
  key text not null,
  fingerprint bytea not null,
  status smallint,
  body text,
  created_at timestamptz(0) not null,
  primary key (company_id, app_id, key)
);

create index idempotency_keys_age on idempotency_keys (created_at);

-- Ids of the parts inside a resource: locales, entries, bindings, chapters, pictures.
create sequence part_ids as bigint;
