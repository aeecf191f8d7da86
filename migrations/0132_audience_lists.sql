-- What the lists of people need: finding somebody by the beginning of the address, and where a consent comes from.
set local lock_timeout = '10s';

-- Bytewise, so that the beginnings of addresses are a range of the index in any collation. It finds whole addresses as well.
create index subscribers_address on subscribers (company_id, lower(email) text_pattern_ops, id);
drop index subscribers_email;
create index group_members_address on group_members (company_id, lower(email) text_pattern_ops, id);
drop index group_members_email;
create index news_recipients_address on news_recipients (company_id, lower(email) text_pattern_ops, id);
drop index news_recipients_email;

-- Where the consent of confirmed_at comes from, as the company says it; null: from the link in the mail, or nobody has said.
alter table news_recipients add column consent_source text;

alter table imports drop constraint imports_kind_check;
alter table imports add constraint imports_kind_check
  check (kind in ('products', 'customers', 'prices', 'news_recipients', 'group_members', 'subscribers'));
-- Values of the lines that have none of their own, by field.
alter table imports add column defaults json not null default '[]';
