-- Discount codes can be changed: when a code was changed last.
set local lock_timeout = '10s';

alter table discount_codes add column updated_at timestamptz(0) not null default now();
update discount_codes set updated_at = created_at;
