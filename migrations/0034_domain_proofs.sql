-- A domain of a shop answers once its owner has proved it in the domain name system. Any number of shops may ask for the
-- same one, and one of them has it. Labels below the service's own host need no proof. Domains from before this
-- migration keep answering while they are checked; those that stay unproved for a week end.
set local lock_timeout = '10s';

alter table theme_setting_hosts
  drop constraint theme_setting_hosts_pkey,
  drop constraint theme_setting_hosts_company_id_theme_setting_id_kind_key,
  add primary key (company_id, theme_setting_id, kind),
  -- Null: the host does not answer yet.
  add column proved_at timestamptz(0),
  -- When a proof that was there was first found missing.
  add column missing_since timestamptz(0),
  -- When to look next; null for labels.
  add column check_at timestamptz(0),
  -- How often the proof was looked for in vain since it was asked for.
  add column checks integer not null default 0;

update theme_setting_hosts set proved_at = now(), check_at = case when position('.' in host) > 0 then now() end;

create unique index theme_setting_hosts_answering on theme_setting_hosts (host) where proved_at is not null;
create unique index theme_setting_hosts_company on theme_setting_hosts (company_id, host);
create index theme_setting_hosts_host on theme_setting_hosts (host);
create index theme_setting_hosts_due on theme_setting_hosts (check_at) where check_at is not null;

-- The documents tell the state of each domain: the program that brings the schema up to date writes them again.
update theme_settings set document = null;
