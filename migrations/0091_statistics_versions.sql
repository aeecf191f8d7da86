-- Reading the statistics of a year is quick: processes keep answers in memory and compare versions, the products of whole months
-- are added up, and the origins of orders are found without reading all others.
set local lock_timeout = '10s';

-- Each number is raised by the transactions that change what it belongs to.
create table versions (
  company_id bigint not null references companies (id),
  name text not null,
  number bigint not null,
  primary key (company_id, name)
) with (fillfactor = 50);

-- How products sold in a month. The name is the latest one, and stays when the product is deleted.
create table order_product_months (
  company_id bigint not null references companies (id),
  -- The first day.
  month date not null,
  product_key bigint not null,
  product_id text not null,
  name text not null,
  count bigint not null,
  amount bigint not null,
  primary key (company_id, month, product_key)
) with (fillfactor = 80);

insert into order_product_months
select company_id, date_trunc('month', day)::date as month, product_key,
  (array_agg(product_id order by day desc))[1], (array_agg(name order by day desc))[1], sum(count), sum(amount)
from order_product_days group by company_id, month, product_key;

alter table order_product_days drop column product_id, drop column name;

alter table order_origin_days
  drop constraint order_origin_days_pkey,
  add primary key (company_id, origin, day, value);
