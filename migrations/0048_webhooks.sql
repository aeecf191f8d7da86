-- A webhook belongs to one app and one company. A worker takes a whole webhook at a time (leased_until), so that it alone
-- knows the order of what is under way; due_at says when there is something to do, null that there is nothing.
set local lock_timeout = '10s';

create table webhooks (
  company_id bigint not null references companies (id),
  id bigint generated always as identity (start with 1000),
  app_id bigint not null references apps (id),
  topic text not null,
  address text not null,
  is_active boolean not null,
  inactive_reason text,
  -- Events up to this one are older than the webhook.
  since_event_id bigint not null,
  -- Failed attempts since the last success, and the first of them: the place in the retry schedule.
  failures smallint not null default 0,
  first_failed_at timestamptz,
  -- How many deliveries were ever queued: a worker that is about to say "nothing to do" sees whether one was added.
  queued bigint not null default 0,
  due_at timestamptz,
  leased_until timestamptz,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (company_id, id),
  unique (id)
);

-- An address may be longer than an entry of an index.
create unique index webhooks_same on webhooks (company_id, app_id, topic, md5(address));
create index webhooks_topic on webhooks (company_id, topic);
create index webhooks_due on webhooks (due_at) where due_at is not null and is_active;

-- After a failure nothing is sent to the app for a minute.
create table webhook_blocks (
  company_id bigint not null references companies (id),
  app_id bigint not null references apps (id),
  blocked_until timestamptz not null,
  primary key (company_id, app_id)
);

-- No foreign keys: each would cost every delivery a look-up, and deleting a webhook a walk through its deliveries.
create table deliveries (
  company_id bigint not null,
  webhook_id bigint not null,
  id bigint generated always as identity (start with 1000),
  -- The position of the event; null for a test and for data change sync.
  event_id bigint,
  message_id text not null,
  topic text not null,
  producer text not null,
  data json not null,
  -- Deliveries of the same resource are sent one after another.
  resource text not null,
  state text not null,
  failures smallint not null default 0,
  due_at timestamptz,
  attempts jsonb not null default '[]',
  created_at timestamptz(0) not null,
  done_at timestamptz,
  primary key (company_id, webhook_id, id)
);

create index deliveries_pending on deliveries (webhook_id, failures, id) where state = 'pending';
create index deliveries_waiting on deliveries (webhook_id, resource, id) where state = 'pending' and due_at is not null;
create index deliveries_failed on deliveries (company_id, webhook_id, id) where state = 'failed';
create index deliveries_time on deliveries (company_id, webhook_id, created_at);
