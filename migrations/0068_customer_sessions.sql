-- A customer who is signed in to a shop, in one browser. A session ends with what the company knows of the customer, and
-- with the shop.
set local lock_timeout = '10s';

create table customer_sessions (
  token_hash bytea primary key,
  company_id bigint not null,
  theme_setting_id bigint not null,
  customer_id bigint not null,
  -- Null: the customer has proved to be the owner of the address. Otherwise it is open for what these orders gave, and for
  -- nothing else: a guest can type any address.
  order_ids bigint[],
  browser text not null,
  -- The beginning of the network address, which is enough to recognise one's own sessions.
  network text not null,
  created_at timestamptz(0) not null,
  seen_at timestamptz(0) not null,
  expires_at timestamptz(0) not null,
  foreign key (company_id, customer_id) references customer_relations (company_id, customer_id) on delete cascade,
  foreign key (company_id, theme_setting_id) references theme_settings (company_id, id) on delete cascade
);

create index customer_sessions_customer on customer_sessions (customer_id, company_id);
create index customer_sessions_shop on customer_sessions (company_id, theme_setting_id);
create index customer_sessions_expiry on customer_sessions (expires_at);
