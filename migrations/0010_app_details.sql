-- What an app asks for and where its developer is reached. A rotated secret and the one before it are both good for a while.
-- The hash of a secret is compared, the sealed secret signs what is sent to the app.
set local lock_timeout = '10s';

alter table apps
  add column developer_email text not null default '',
  add column data_change_sync_url text,
  add column scopes text[] not null default '{}',
  add column sealed_secret bytea,
  add column previous_secret_hash bytea,
  add column previous_sealed_secret bytea,
  add column previous_secret_until timestamptz(0),
  add column updated_at timestamptz(0);

update apps set updated_at = created_at;

alter table apps alter column updated_at set not null;

-- Good for one exchange. The first of a grant is what the redirect carries as `code`.
create table refresh_tokens (
  token_hash bytea primary key,
  company_id bigint not null,
  grant_id bigint not null,
  code_challenge text,
  redirect_uri text,
  issued_at timestamptz(0) not null,
  used_at timestamptz(0),
  foreign key (company_id, grant_id) references grants (company_id, id) on delete cascade
);

create index refresh_tokens_grant on refresh_tokens (company_id, grant_id);
create index refresh_tokens_used on refresh_tokens (used_at) where used_at is not null;
create index access_tokens_grant on access_tokens (company_id, grant_id);
