-- People who want an account in a shop, until they have shown that they read their e-mail address.
set local lock_timeout = '10s';

create table customer_sign_ups (
  token_hash bytea primary key,
  company_id bigint not null,
  theme_setting_id bigint not null,
  email text not null,
  first_name text not null,
  last_name text not null,
  language text not null,
  created_at timestamptz(0) not null,
  expires_at timestamptz(0) not null,
  foreign key (company_id, theme_setting_id) references theme_settings (company_id, id) on delete cascade
);

create index customer_sign_ups_shop on customer_sign_ups (company_id, theme_setting_id);
create index customer_sign_ups_expiry on customer_sign_ups (expires_at);
