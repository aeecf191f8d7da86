-- The texts that owners of shops write in place of those of the service, by kind of mail and language: a map of message keys to
-- texts. A kind without a row has no text of its own.
set local lock_timeout = '10s';

create table mail_texts (
  company_id bigint not null references companies (id),
  kind text not null,
  language text not null,
  texts jsonb not null,
  updated_at timestamptz(0) not null,
  primary key (company_id, kind, language)
);
