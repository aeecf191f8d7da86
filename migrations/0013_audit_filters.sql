-- A company reads its own record by time, by user and by what was done. Like every other table of companies this one has
-- the company first in its key now: with a key of ids alone, a kept plan walked the whole record to find the few entries of
-- a small company. Entries of nobody have no company, so it is a unique key and not the primary one.
set local lock_timeout = '10s';

alter table audit_entries drop constraint audit_entries_pkey;
drop index audit_entries_company;
alter table audit_entries add constraint audit_entries_key unique (company_id, id);
create index audit_entries_created_at on audit_entries (company_id, created_at, id);
create index audit_entries_user on audit_entries (company_id, user_id, id);
create index audit_entries_action on audit_entries (company_id, action, id);
