-- Customers whom a company knows from orders of guests alone, none of which was paid: anybody may have typed the address.
set local lock_timeout = '10s';

create table unproved_relations (
  company_id bigint not null,
  customer_id bigint not null,
  primary key (company_id, customer_id),
  foreign key (company_id, customer_id) references customer_relations (company_id, customer_id) on delete cascade
);
