-- Reminders of carts that were left: one mail for each cart, if the owner of the shop wants it.
set local lock_timeout = '10s';

-- So many hours after the last touch; null: no reminders.
alter table theme_settings add column cart_reminder_hours smallint check (cart_reminder_hours between 1 and 168);

-- The stored documents get the field that the presenter adds at their end.
update theme_settings set document = left(document, -1) || ',"cart_reminder_hours":null}' where document is not null;

-- When its customer was reminded, or was found to want no reminder.
alter table carts add column reminded_at timestamptz(0);

-- Whom a company has reminded, and who wants no more reminders. Anybody can enter any address at a checkout, so addresses are
-- stored as hashes.
create table cart_reminder_addresses (
  company_id bigint not null references companies (id),
  email_hash bytea not null,
  reminded_at timestamptz(0),
  stopped_at timestamptz(0),
  primary key (company_id, email_hash)
);
