-- An app is a client program; installing it for a company makes a grant, and a grant issues access tokens.
-- Secrets and tokens are kept as hashes only.
set local lock_timeout = '10s';

create table apps (
  company_id bigint not null references companies (id),
  id bigint generated always as identity (start with 1000),
  client_id text not null unique,
  secret_hash bytea not null,
  name text not null,
  redirect_uris text[] not null default '{}',
  created_at timestamptz(0) not null,
  primary key (company_id, id),
  unique (id)
);

create table grants (
  company_id bigint not null references companies (id),
  id bigint generated always as identity (start with 1000),
  app_id bigint not null references apps (id),
  user_id bigint not null,
  scopes text[] not null,
  created_at timestamptz(0) not null,
  revoked_at timestamptz(0),
  primary key (company_id, id),
  foreign key (company_id, user_id) references users (company_id, id)
);

create index grants_app on grants (company_id, app_id);

create table access_tokens (
  token_hash bytea primary key,
  company_id bigint not null,
  grant_id bigint not null,
  scopes text[] not null,
  issued_at timestamptz(0) not null,
  expires_at timestamptz(0) not null,
  foreign key (company_id, grant_id) references grants (company_id, id)
);

create index access_tokens_expiry on access_tokens (expires_at);
