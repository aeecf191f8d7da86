-- Shipping methods can be changed, and are tried in an order that the company chooses. So far the oldest came first.
set local lock_timeout = '10s';

alter table shipping_methods
  add column position integer not null default 0,
  add column updated_at timestamptz(0) not null default now();

update shipping_methods as method
set position = numbered.position, updated_at = created_at
from (
  select company_id, id, row_number() over (partition by company_id order by id) as position from shipping_methods
) as numbered
where numbered.company_id = method.company_id and numbered.id = method.id;
