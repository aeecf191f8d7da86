-- Codes that a company has printed elsewhere and brings as they are. Each code is found by one form, however it is typed: the
-- capitals and digits of what is shown.
set local lock_timeout = '10s';

alter table redemption_codes add column own boolean not null default false;

create unique index redemption_codes_typed
  on redemption_codes (company_id, (upper(translate(code, ' -', '') collate "C")));
alter table redemption_codes drop constraint redemption_codes_code;
-- Says whether a company has codes that no character checks.
create index redemption_codes_own on redemption_codes (company_id) where own;
