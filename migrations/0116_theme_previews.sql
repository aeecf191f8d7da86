-- Shops as they would look with changes that are not saved. Whoever has the address of one sees it until it expires.
set local lock_timeout = '10s';

create table theme_previews (
  token_hash bytea primary key,
  company_id bigint not null references companies (id),
  theme_setting_id bigint not null,
  shop json not null,
  locales json not null,
  expires_at timestamptz(0) not null,
  foreign key (company_id, theme_setting_id) references theme_settings (company_id, id) on delete cascade
);

create index theme_previews_of_setting on theme_previews (company_id, theme_setting_id, expires_at);
create index theme_previews_expired on theme_previews (expires_at);
