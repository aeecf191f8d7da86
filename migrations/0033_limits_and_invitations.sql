-- The same wrong password again is no new guess: `tried` has hashes of what was tried, each made with the salt and cost of
-- the hash of the right password. Invitations are limited by company and by recipient, and two companies may invite the
-- same address: only one user can have accepted with it.
set local lock_timeout = '10s';

alter table attempt_limits add column tried bytea[] not null default '{}';

create table invitation_mails (
  company_id bigint not null references companies (id),
  -- The hash of the address in lower case.
  recipient bytea not null,
  -- False: other companies had invited this person so often that no mail was sent.
  is_sent boolean not null,
  created_at timestamptz(0) not null
);

create index invitation_mails_company on invitation_mails (company_id, created_at);
create index invitation_mails_recipient on invitation_mails (recipient, created_at);

drop index users_email;
create index users_email on users (lower(email));
create unique index users_account_email on users (lower(email)) where password_hash is not null or state = 'enabled';
create unique index users_company_email on users (company_id, lower(email));
