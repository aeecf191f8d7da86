-- What a user tells of itself. `document` is the user as the interface shows it. A grant may come from a user of the
-- partner of the company that it is for, so the user of a grant is named by its id alone.
set local lock_timeout = '10s';

alter table users
  add column first_name text not null default '',
  add column last_name text not null default '',
  add column language text not null default 'en',
  add column note text not null default '',
  add column state text not null default 'enabled' check (state in ('enabled', 'disabled')),
  add column time_zone smallint not null default 0,
  add column token text,
  add column verified_email boolean not null default false,
  add column default_address json,
  add column permissions jsonb not null default '{}',
  add column document text check (octet_length(document) = char_length(document));

-- Whoever is there already opened a company, and may do everything in it.
update users set
  token = (select string_agg(chr(65 + floor(random() * 26)::int), '') from generate_series(1, 16 + 0 * users.id)),
  permissions = '{"request_products":1,"request_keyfile":1,"request_rescue_code":1,"request_beta_code":1,"create_users":1,"web_access":1,"accounting":1,"unlock":1,"RepAccounting":1}';

alter table users
  alter column token set not null,
  add constraint users_id unique (id),
  add constraint users_token unique (token),
  add constraint users_token_form check (token ~ '^[A-Z]{16}$');

create index users_updated_at on users (company_id, updated_at);

alter table grants
  drop constraint grants_company_id_user_id_fkey,
  add foreign key (user_id) references users (id);
