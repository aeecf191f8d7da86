-- Who did what to the doors of a company, when and from where. A refused sign-in of nobody we know has no company.
set local lock_timeout = '10s';

create table audit_entries (
  id bigint generated always as identity primary key,
  company_id bigint references companies (id),
  user_id bigint,
  app_id bigint,
  action text not null,
  subject text not null,
  address text not null,
  request_id text not null,
  created_at timestamptz(0) not null
);

create index audit_entries_company on audit_entries (company_id, id);
create index audit_entries_age on audit_entries (created_at);
