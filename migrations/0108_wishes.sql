-- What customers want to buy later.
set local lock_timeout = '10s';

create table wishes (
  company_id bigint not null,
  customer_id bigint not null,
  product_key bigint not null,
  created_at timestamptz not null,
  primary key (company_id, customer_id, product_key),
  foreign key (company_id, customer_id) references customer_relations (company_id, customer_id) on delete cascade,
  foreign key (company_id, product_key) references products (company_id, id) on delete cascade
);

create index wishes_product on wishes (company_id, product_key);
