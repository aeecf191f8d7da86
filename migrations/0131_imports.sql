-- Files that people import in the browser: what they are, what was decided about them, and how the import goes.
set local lock_timeout = '10s';

create table imports (
  company_id bigint not null,
  id bigint generated always as identity (start with 1000),
  -- Who sent the file; null if the user or the app is gone.
  user_id bigint,
  app_id bigint,
  file_name text not null,
  size integer not null,
  encoding text not null,
  -- What the file is about; null until somebody has said so.
  kind text check (kind in ('products', 'customers', 'prices')),
  -- The columns in the order of the file, with a field or none, and with the first values.
  columns json not null,
  -- Values that are taken instead of those of the file, by line and field.
  fixes json not null default '[]',
  left_out json not null default '[]',
  state text not null check (state in ('draft', 'checking', 'checked', 'importing', 'imported', 'failed')),
  -- Raised with every decision: a check of an earlier one says nothing about this one.
  revision integer not null default 1,
  total integer not null default 0,
  done integer not null default 0,
  report json,
  problem json,
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  imported_at timestamptz(0),
  primary key (company_id, id)
);

create index imports_old on imports (created_at);

-- The bytes of the file, apart from the rest because reads of the state do not need them.
create table import_contents (
  company_id bigint not null,
  import_id bigint not null,
  content bytea not null,
  primary key (company_id, import_id),
  foreign key (company_id, import_id) references imports (company_id, id) on delete cascade
);
