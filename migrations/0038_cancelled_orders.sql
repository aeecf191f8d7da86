-- A cancelled order is not waiting to be shipped: its row and its counts have a status of their own. The document still
-- shows how far the order had come.
alter table orders drop constraint orders_fulfillment_status_check;
alter table orders add check (fulfillment_status in ('fulfilled', 'partial', 'cancelled'));
update orders set fulfillment_status = 'cancelled' where cancelled_at is not null;

delete from order_counts;
insert into order_counts (company_id, day, financial_status, fulfillment_status, slot, amount, first_id, last_id)
select company_id, coalesce((created_at at time zone 'UTC')::date, '-infinity'), financial_status,
  coalesce(fulfillment_status, ''), 0, count(*), min(id), max(id)
from orders
group by grouping sets ((company_id, (created_at at time zone 'UTC')::date, financial_status, fulfillment_status),
  (company_id, financial_status, fulfillment_status));

-- The filter by status: few orders are closed or cancelled, or few are open.
create index orders_open on orders (company_id, id) where closed_at is null and cancelled_at is null;
create index orders_closed on orders (company_id, id) where closed_at is not null and cancelled_at is null;
create index orders_cancelled on orders (company_id, id) where cancelled_at is not null;
