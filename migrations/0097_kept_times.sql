-- Finds the rows that are past their time, which the worker deletes in batches.
set local lock_timeout = '10s';

create index jobs_failed on jobs (failed_at) where failed_at is not null;
create index known_browsers_age on known_browsers (seen_at);
create index invitation_mails_age on invitation_mails (created_at);
create index visit_referrer_days_age on visit_referrer_days (day);
create index vat_id_checks_checked_at on vat_id_checks (checked_at);
-- Who wants no reminders stays on record; when somebody was reminded matters for a week.
create index cart_reminder_addresses_age on cart_reminder_addresses (reminded_at) where stopped_at is null;

-- Links of merged entries work as long as mails with them may still be read. Those that exist count from now.
alter table former_unsubscribe_tokens add column created_at timestamptz(0) not null default now();
create index former_unsubscribe_tokens_age on former_unsubscribe_tokens (created_at);
