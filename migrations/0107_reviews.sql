-- What buyers think of products. A shop shows approved reviews only.
set local lock_timeout = '10s';

create sequence reviews_id_seq start with 1000;

create table reviews (
  company_id bigint not null references companies (id),
  id bigint not null,
  product_key bigint not null,
  -- Null: the customer was erased.
  customer_id bigint,
  -- Empty: the customer does not want to be named, or was erased.
  name text not null,
  stars smallint not null check (stars between 1 and 5),
  text text not null,
  state text not null check (state in ('waiting', 'approved', 'rejected')),
  created_at timestamptz(0) not null,
  updated_at timestamptz(0) not null,
  primary key (company_id, id),
  unique (company_id, product_key, customer_id),
  foreign key (company_id, product_key) references products (company_id, id) on delete cascade
);

create index reviews_state on reviews (company_id, state, id);
create index reviews_shown on reviews (company_id, product_key, id) where state = 'approved';
create index reviews_customer on reviews (company_id, customer_id);

-- The approved reviews of each product, so that its page does not count them.
create table product_ratings (
  company_id bigint not null,
  product_key bigint not null,
  reviews integer not null,
  stars integer not null,
  primary key (company_id, product_key),
  foreign key (company_id, product_key) references products (company_id, id) on delete cascade
);
