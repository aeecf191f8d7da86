-- Mails are rows, written with the change that they tell of and sent by a job. Without a mail server they are kept and
-- can be read. The text of one that carries a one-time link is dropped once it is sent.
set local lock_timeout = '10s';

create table mails (
  id bigint generated always as identity (start with 1000) primary key,
  company_id bigint references companies (id),
  recipient text not null,
  subject text not null,
  text text,
  html text,
  carries_secret boolean not null,
  created_at timestamptz(0) not null,
  sent_at timestamptz(0),
  failed_at timestamptz(0),
  last_error text
);

create index mails_age on mails (created_at);
create index mails_company on mails (company_id, id);
