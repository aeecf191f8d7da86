-- How users sign in: sessions, links that work once, second factors, and limits against guessing. Whatever opens a door is
-- kept as a hash; the secret of a second factor, which can't be, is sealed with a key that is not in the database.
set local lock_timeout = '10s';

create table sessions (
  token_hash bytea primary key,
  company_id bigint not null,
  user_id bigint not null,
  -- A session whose second factor is still due opens nothing but the page that asks for it.
  second_factor_due boolean not null,
  browser text not null,
  address text not null,
  created_at timestamptz(0) not null,
  seen_at timestamptz(0) not null,
  expires_at timestamptz(0) not null,
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);

create index sessions_user on sessions (company_id, user_id);
create index sessions_expiry on sessions (expires_at);

create table one_time_links (
  token_hash bytea primary key,
  kind text not null check (kind in ('invitation', 'reset', 'first run')),
  -- The link of the first run comes before any company.
  company_id bigint,
  user_id bigint,
  created_at timestamptz(0) not null,
  expires_at timestamptz(0) not null,
  used_at timestamptz(0),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);

create index one_time_links_user on one_time_links (company_id, user_id);
create index one_time_links_expiry on one_time_links (expires_at);

create table second_factors (
  company_id bigint not null,
  user_id bigint not null,
  sealed_secret bytea not null,
  -- Codes of this time step and earlier ones have been used.
  used_step bigint not null default 0,
  -- Null while the user has not shown yet that its device knows the secret.
  confirmed_at timestamptz(0),
  primary key (company_id, user_id),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);

create table recovery_codes (
  company_id bigint not null,
  user_id bigint not null,
  code_hash bytea not null,
  used_at timestamptz(0),
  primary key (company_id, user_id, code_hash),
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);

-- Browsers in which a user has signed in before: guessing from elsewhere does not slow the user down there.
create table known_browsers (
  token_hash bytea primary key,
  company_id bigint not null,
  user_id bigint not null,
  created_at timestamptz(0) not null,
  seen_at timestamptz(0) not null,
  foreign key (company_id, user_id) references users (company_id, id) on delete cascade
);

create index known_browsers_user on known_browsers (company_id, user_id);

-- How often a key (an account, a network address) failed lately, and until when it has to wait.
create table attempt_limits (
  key text primary key,
  failures integer not null,
  failed_at timestamptz not null,
  blocked_until timestamptz not null
);

create index attempt_limits_age on attempt_limits (failed_at);
