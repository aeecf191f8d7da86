-- What the people of a company write down about an order, for each other.
set local lock_timeout = '10s';

create table order_notes (
  company_id bigint not null,
  id bigint generated always as identity (start with 1000),
  order_id bigint not null,
  text text not null check (text <> ''),
  -- Who wrote it; null if the user or the app is gone.
  user_id bigint,
  app_id bigint,
  created_at timestamptz(0) not null,
  primary key (company_id, id),
  foreign key (company_id, order_id) references orders (company_id, id) on delete cascade
);

create index order_notes_order on order_notes (company_id, order_id, id);

-- Who did what to an order.
create index audit_entries_orders on audit_entries (company_id, subject) where action like 'order %';

-- What a mail is about, in the words of whoever queued it.
alter table mails add column concerns text;
create index mails_concerns on mails (company_id, concerns) where concerns is not null;
