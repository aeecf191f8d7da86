-- Newsletter recipients who have left, changed their address, or were merged with another entry of the same person.
set local lock_timeout = '10s';

-- When the recipient last left. It stays while the recipient signs up again, so that an older consent never counts.
alter table news_recipients add column last_unsubscribed_at timestamptz(0);
update news_recipients set last_unsubscribed_at = unsubscribed_at where unsubscribed_at is not null;

-- The address that the link was mailed to, which is the only one that it confirms. It is a hash, so that it may outlive the
-- recipient. Unlike address_hash it tells accents apart. Null: the recipient was deleted before this column existed.
alter table news_confirmations add column mailed_to_hash bytea;
update news_confirmations as link set mailed_to_hash = sha256(convert_to(lower(recipient.email), 'UTF8'))
  from news_recipients as recipient
  where recipient.company_id = link.company_id and recipient.id = link.recipient_id;

-- The links to unsubscribe of entries that were merged into another one: they are in mails, and have to keep working.
create table former_unsubscribe_tokens (
  token text primary key,
  company_id bigint not null references companies (id),
  recipient_id bigint not null,
  foreign key (company_id, recipient_id) references news_recipients (company_id, id) on delete cascade
);

create index former_unsubscribe_tokens_recipient on former_unsubscribe_tokens (company_id, recipient_id);

-- Finds the mails of a recipient by the secret at the end of the link, whatever address they were sent to.
create index mails_unsubscribe_token on mails (company_id, (substring(unsubscribe_url from '[^/]*$')))
  where unsubscribe_url is not null;
