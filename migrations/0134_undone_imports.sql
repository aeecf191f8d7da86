-- What an import has created and changed, so that it can be undone for a day.
set local lock_timeout = '10s';

alter table imports
  -- The program knows what files can be about.
  drop constraint imports_kind_check,
  drop constraint imports_state_check,
  add check (state in ('draft', 'checking', 'checked', 'importing', 'imported', 'failed', 'undoing', 'undone')),
  -- What undoing has done, and what it had to leave.
  add column undo json;

create table import_changes (
  company_id bigint not null,
  import_id bigint not null,
  -- The order in which they were made; they are undone from the last to the first.
  number integer not null,
  line integer not null,
  kind text not null,
  thing_id bigint not null,
  name text not null,
  -- The former values of what was changed; null if the import has created the thing.
  before json,
  -- How the import has left it, to see whether somebody has changed it since.
  after json not null,
  -- Null until it was undone, or cannot be.
  outcome text check (outcome in ('removed', 'restored', 'kept', 'gone')),
  reason text,
  -- The fields that stay as they are.
  fields json,
  primary key (company_id, import_id, number),
  foreign key (company_id, import_id) references imports (company_id, id) on delete cascade
);

create index import_changes_open on import_changes (company_id, import_id, number) where outcome is null;
